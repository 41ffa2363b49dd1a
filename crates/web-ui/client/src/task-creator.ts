/** The page on which a task is written, checked and submitted. */

import { Away, Refused, ask } from "./page/api";
import { button, el, given } from "./page/dom";
import { Drafts } from "./page/draft";
import { sharedIn } from "./page/share";
import { taskCheck, workerTypeOf } from "./page/task-check";
import { TaskSchemas } from "./page/task-schema";
import { newTask } from "./page/task-text";
import { type Start, Workbench } from "./page/workbench";
import { WorkerTypeNames } from "./page/worker-type-names";
import { jsonText } from "./source/json-text";
import { slugid } from "./source/slugid";
import type { Segment } from "./source/tree";

const mount = document.querySelector<HTMLElement>("#task-creator");
if (mount !== null) void open(mount);

async function open(mount: HTMLElement): Promise<void> {
  const api = given(mount, "worker-manager");
  const queue = given(mount, "queue");
  const workerType = given(mount, "worker-type");
  const start = await beginning(mount, queue);
  const schemas = new TaskSchemas(api);
  const names = new WorkerTypeNames(api);
  const bench = new Workbench(mount, {
    label: "Task definition",
    start,
    drafts: new Drafts("task", workerType),
    base: "",
    assistance: { schema: () => schemas.current, names: (path) => namesFor(names, path) },
    check: taskCheck(api, workerType),
    edited: ({ root }) => schemas.want(workerTypeOf(root) ?? workerType),
  });
  bench.element.append(actions(bench, queue));
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

function actions(bench: Workbench, queue: string): HTMLElement {
  if (queue === "") {
    return el("p", { class: "note" }, "There is no queue on this server: the task is checked here, and can be copied to where it is submitted.");
  }
  const submit = button("Submit task", () => void submitted(bench, queue, submit), { class: "button primary" });
  return el("div", { class: "actions" }, submit);
}

/** The verdict first: what the queue would refuse or warn of is not sent unasked. */
async function submitted(bench: Workbench, queue: string, submit: HTMLButtonElement): Promise<void> {
  bench.notices.clear("submit");
  submit.disabled = true;
  try {
    const report = await bench.checking.now();
    const { root, faults } = bench.source;
    if (faults.length > 0) {
      bench.notices.say("submit", "alert", `Not submitted: the text has errors of syntax, the first of them ${faults[0]?.message ?? ""} (F8 leads there).`);
      return;
    }
    const send = () => void put(bench, queue, jsonText(root));
    if (report?.outcome === "valid") send();
    else if (report?.outcome === "unchecked" || report === null) confirmed(bench, report?.summary ?? "Nobody could check the task.", send);
    else confirmed(bench, report.summary, send);
  } finally {
    submit.disabled = false;
  }
}

function confirmed(bench: Workbench, reason: string, send: () => void): void {
  bench.notices.say(
    "submit", "alert", `${reason} `,
    button("Submit it all the same", send), " ",
    button("Go back to the text", () => {
      bench.notices.clear("submit");
      bench.editor.view.focus();
    }),
  );
}

async function put(bench: Workbench, queue: string, body: string): Promise<void> {
  bench.notices.say("submit", "note", "The queue is asked…");
  const id = slugid();
  try {
    await ask(`${queue}/task/${id}`, { method: "PUT", body });
    new Drafts("task", mount === null ? "" : given(mount, "worker-type")).discard();
    location.assign(`/tasks/${id}`);
  } catch (error) {
    refusedBy(bench, error, () => void put(bench, queue, body));
  }
}

function refusedBy(bench: Workbench, error: unknown, again: () => void): void {
  bench.notices.clear("submit");
  if (error instanceof Refused && error.wantsToken) {
    bench.refused(error);
    return;
  }
  const reason = error instanceof Away || error instanceof Refused ? error.message : String(error);
  bench.notices.say("submit", "alert", `The queue did not create the task: ${reason} `, button("Try again", again));
}
