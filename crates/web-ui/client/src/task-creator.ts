/** The page on which a task is written, checked and submitted. */

import { answer } from "./page/api";
import { button, el, given } from "./page/dom";
import { Drafts } from "./page/draft";
import { renewedTimes } from "./page/renewed-times";
import { nameOf, sharedIn } from "./page/share";
import { Submitter } from "./page/submitter";
import { liveGeneration, taskCheck } from "./page/task-check";
import { TaskSchemas } from "./page/task-schema";
import { again, newTask, subjectOf } from "./page/task-text";
import { type Start, Workbench } from "./page/workbench";
import { WorkerTypeNames } from "./page/worker-type-names";
import type { SchemaObject } from "./schema/schema";
import { readJson } from "./source/read-json";
import type { Segment } from "./source/tree";

const mount = document.querySelector<HTMLElement>("#task-creator");
if (mount !== null) void open(mount);

async function open(mount: HTMLElement): Promise<void> {
  const api = given(mount, "worker-manager");
  const queue = given(mount, "queue");
  const workerType = given(mount, "worker-type");
  const start = await beginning(mount, queue);
  const schemas = new TaskSchemas(api, schemaOf(mount));
  const names = new WorkerTypeNames(api);
  const bench = new Workbench(mount, {
    label: "Task definition",
    start,
    drafts: (origin) => new Drafts("task", workerType, origin),
    base: "",
    subject: ({ root }) => subjectOf(root, workerType),
    assistance: { schema: () => schemas.current, names: (path) => namesFor(names, path) },
    check: taskCheck(api, workerType, (verdict) => void schemas.want(verdict.workerTypeId, liveGeneration(verdict))),
  });
  bench.bar.append(button("Set times to now", () => bench.editor.view.dispatch({ changes: renewedTimes(bench.source.root, bench.editor.text) })));
  if (queue === "") {
    bench.element.append(el("p", { class: "note" }, "There is no queue on this server: the task is checked here, and can be copied to where it is submitted."));
    return;
  }
  const submitter = new Submitter(bench, queue);
  bench.element.append(submitter.element);
}

/** A shared text, another task, or what the server proposes. */
async function beginning(mount: HTMLElement, queue: string): Promise<Start> {
  const shared = await sharedIn(location.hash);
  if (shared !== null) return { ...shared, origin: `link:${nameOf(location.hash)}`, called: "what the link brought" };
  const from = given(mount, "from");
  const fields = JSON.parse(given(mount, "task") || "{}") as Record<string, unknown>;
  if (from !== "" && queue !== "") {
    try {
      const { root } = readJson(await (await answer(`${queue}/task/${encodeURIComponent(from)}`)).text());
      return { text: again(root, schemaOf(mount)), language: "json", origin: `from:${from}`, called: `task ${from}` };
    } catch (error) {
      mount.append(el("p", { role: "alert" }, `Task ${from} could not be read: ${error instanceof Error ? error.message : String(error)}`));
    }
  }
  return { text: newTask(fields), language: "json", origin: "", called: "the template" };
}

/** What every queue asks of every task. */
function schemaOf(mount: HTMLElement): SchemaObject {
  return JSON.parse(given(mount, "schema")) as SchemaObject;
}

async function namesFor(names: WorkerTypeNames, path: readonly Segment[]) {
  const [name] = path;
  if (path.length !== 1) return [];
  if (name === "taskQueueId") return names.all();
  if (name !== "provisionerId" && name !== "workerType") return [];
  const parts = (await names.all()).map(({ name: id, detail }) => ({ name: id.split("/")[name === "workerType" ? 1 : 0] ?? "", detail: name === "workerType" ? detail : "" }));
  return parts.filter((part, index) => parts.findIndex((other) => other.name === part.name) === index);
}
