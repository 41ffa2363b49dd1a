/** A task's page: its definition, the verdict that was kept with it, and what to do. */

import { answer, ask } from "./page/api";
import { el, given } from "./page/dom";
import type { Verdict } from "./page/task-check";
import { jsonText } from "./source/json-text";
import { readJson } from "./source/read-json";
import type { Node } from "./source/tree";

interface Kept extends Verdict {
  readonly action: "created" | "warned" | "refused";
  readonly checkedAt: string;
}

interface Status {
  readonly status: { readonly state: string; readonly taskQueueId: string };
}

const mount = document.querySelector<HTMLElement>("#task");
if (mount !== null) void show(mount, given(mount, "queue"), given(mount, "task-id"));

async function show(mount: HTMLElement, queue: string, id: string): Promise<void> {
  const url = `${queue}/task/${id}`;
  const [task, status, kept] = await Promise.all([
    told(definitionOf(url)), told(ask<Status>(`${url}/status`)), told(ask<Kept>(`${url}/validation`)),
  ]);
  if (task instanceof Error && kept instanceof Error) {
    mount.replaceChildren(el("p", { role: "alert" }, task.message), wayOut());
    return;
  }
  mount.replaceChildren(
    ...(task instanceof Error ? [] : [name(task)]),
    ...(kept instanceof Error ? [el("p", { class: "quiet" }, kept.message)] : [verdict(kept)]),
    ...(status instanceof Error ? [] : [where(status)]),
    ...(task instanceof Error ? [el("p", { class: "note" }, "The queue did not create this task; only the verdict is kept."), wayOut()] : [next(id, kept), definition(task, url)]),
  );
}

/** What its author calls it. */
function name(task: Node): HTMLElement {
  const { metadata } = JSON.parse(jsonText(task, true)) as { metadata?: { name?: unknown } };
  return el("p", { class: "lead" }, typeof metadata?.name === "string" ? metadata.name : "");
}

/** With every digit: the browser would round long numbers. */
async function definitionOf(url: string): Promise<Node> {
  const { root } = readJson(await (await answer(url)).text());
  if (root === null) throw new Error("the queue's answer is empty");
  return root;
}

async function told<T>(asked: Promise<T>): Promise<T | Error> {
  try {
    return await asked;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const WORDS: Readonly<Record<Kept["action"], string>> = {
  created: "The queue created it.",
  warned: "The queue created it with a warning: it is likely to fail as malformed.",
  refused: "The queue refused it.",
};

function verdict(kept: Kept): HTMLElement {
  const outcome = { valid: "Valid", invalid: "Invalid", unchecked: "Unchecked" }[kept.verdict];
  const as = kept.revisions.map(({ revision }) => revision).join(" and ");
  const by = el("p", { class: "quiet" }, "Checked against ", el("a", { href: `/worker-types/${kept.workerTypeId}` }, kept.workerTypeId),
    as === "" ? "" : `, revision ${as}`, `, on ${when(kept.checkedAt)}.`);
  const items = [...kept.errors.map((item) => ["error", item] as const), ...kept.warnings.map((item) => ["warning", item] as const)];
  const list = el("ul", { class: "findings" }, ...items.map(([severity, item]) =>
    el("li", { class: severity }, el("code", {}, item.pointer || "/"), ` ${item.message}`, item.description === null ? "" : el("span", { class: "quiet" }, ` ${item.description}`))));
  return el("section", { "aria-label": "Verdict" },
    el("h2", {}, "Verdict"),
    el("p", { class: "verdict", "data-outcome": kept.verdict }, `${outcome}. ${WORDS[kept.action]}`),
    by, ...(items.length > 0 ? [list] : []));
}

function where({ status }: Status): HTMLElement {
  return el("p", {}, "State: ", el("strong", {}, status.state), ` at ${status.taskQueueId}.`);
}

function next(id: string, kept: Kept | Error): HTMLElement {
  const bad = !(kept instanceof Error) && kept.verdict === "invalid";
  const advice = bad ? "Mend what the verdict names and create it again:" : "Create one like it:";
  return el("p", { class: "actions" }, `${advice} `, el("a", { class: "button", href: `/tasks/new?from=${id}` }, "Edit and create again"));
}

function wayOut(): HTMLElement {
  return el("p", { class: "actions" }, el("a", { class: "button", href: "/tasks/new" }, "Write a task"));
}

function definition(task: Node, url: string): HTMLElement {
  return el("section", { "aria-label": "Definition" }, el("h2", {}, "Definition"),
    el("pre", { tabindex: "0" }, el("code", {}, jsonText(task, true))), el("p", { class: "quiet" }, el("a", { href: url }, "As the queue tells it")));
}

function when(time: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" }).format(new Date(time));
}
