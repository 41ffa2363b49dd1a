/** The page on which a task is written, checked and submitted. */

import { ask } from "./page/api";
import { el, given } from "./page/dom";
import { Drafts } from "./page/draft";
import { sharedIn } from "./page/share";
import { Submitter } from "./page/submitter";
import { taskCheck } from "./page/task-check";
import { TaskSchemas } from "./page/task-schema";
import { newTask } from "./page/task-text";
import { type Start, Workbench } from "./page/workbench";
import { WorkerTypeNames } from "./page/worker-type-names";
import type { Schema } from "./schema/schema";
import type { Segment } from "./source/tree";

const mount = document.querySelector<HTMLElement>("#task-creator");
if (mount !== null) void open(mount);

async function open(mount: HTMLElement): Promise<void> {
  const api = given(mount, "worker-manager");
  const queue = given(mount, "queue");
  const workerType = given(mount, "worker-type");
  const start = await beginning(mount, queue);
  const schemas = new TaskSchemas(api, JSON.parse(given(mount, "schema")) as Schema);
  const names = new WorkerTypeNames(api);
  const drafts = new Drafts("task", workerType);
  const bench = new Workbench(mount, {
    label: "Task definition",
    start,
    drafts,
    base: "",
    assistance: { schema: () => schemas.current, names: (path) => namesFor(names, path) },
    check: taskCheck(api, workerType, (verdict) => void schemas.want(verdict.workerTypeId, verdict.generation)),
  });
  if (queue === "") {
    bench.element.append(el("p", { class: "note" }, "There is no queue on this server: the task is checked here, and can be copied to where it is submitted."));
    return;
  }
  const submitter = new Submitter(bench, queue, () => drafts.discard());
  bench.element.append(submitter.element);
}

/** A shared text, another task, or what the server proposes. */
async function beginning(mount: HTMLElement, queue: string): Promise<Start> {
  const shared = await sharedIn(location.hash);
  if (shared !== null) return { ...shared, explicit: true };
  const from = given(mount, "from");
  const fields = JSON.parse(given(mount, "task") || "{}") as Record<string, unknown>;
  if (from !== "" && queue !== "") {
    try {
      const task = await ask<Record<string, unknown>>(`${queue}/task/${encodeURIComponent(from)}`);
      return { text: again(task), language: "json", explicit: true };
    } catch (error) {
      mount.append(el("p", { role: "alert" }, `Task ${from} could not be read: ${error instanceof Error ? error.message : String(error)}`));
    }
  }
  return { text: newTask(fields), language: "json", explicit: false };
}

/** A task once more: now, and for as long as before. */
function again(task: Record<string, unknown>): string {
  const time = (name: string): number => Date.parse(String(task[name]));
  const shift = Date.now() - time("created");
  const later = Object.fromEntries(
    ["created", "deadline", "expires"].filter((name) => !Number.isNaN(time(name) + shift)).map((name) => [name, new Date(time(name) + shift).toISOString()]),
  );
  // A new task is a group of its own.
  const { taskGroupId: _, ...rest } = task;
  return `${JSON.stringify({ ...rest, ...later }, null, 2)}\n`;
}

async function namesFor(names: WorkerTypeNames, path: readonly Segment[]) {
  const [name] = path;
  if (path.length !== 1) return [];
  if (name === "taskQueueId") return names.all();
  if (name !== "provisionerId" && name !== "workerType") return [];
  const parts = (await names.all()).map(({ name: id, detail }) => ({ name: id.split("/")[name === "workerType" ? 1 : 0] ?? "", detail: name === "workerType" ? detail : "" }));
  return parts.filter((part, index) => parts.findIndex((other) => other.name === part.name) === index);
}
