/** The tasks that the page begins with: a new one, or another once more. */

import { type SchemaObject, named } from "../schema/schema";
import { jsonText } from "../source/json-text";
import { workerTypeOf } from "./task-check";
import { TIMES } from "./renewed-times";
import { type Mapping, type Node, type Scalar, pairOf, stringUnder } from "../source/tree";

const UNNAMED = "A new task";
/** Milliseconds until the deadline of a new task. */
const DAY = 24 * 60 * 60 * 1000;

/** `fields` are those that depend on the worker type. */
export function newTask(fields: Readonly<Record<string, unknown>>): string {
  const now = Date.now();
  const { taskQueueId, payload, metadata, ...rest } = fields;
  const task = {
    taskQueueId,
    created: new Date(now).toISOString(),
    deadline: new Date(now + DAY).toISOString(),
    ...rest,
    metadata: metadata ?? {
      name: UNNAMED,
      description: "What it does, and for whom.",
      owner: "you@example.com",
      source: "https://example.com/your/repository",
    },
    payload,
  };
  return `${JSON.stringify(task, null, 2)}\n`;
}

/**
 * A task once more: from now on, for as long as before, in a group of its own, without what the queue fills in anyway.
 * `schema` is the queue's, which knows those defaults.
 */
export function again(task: Node | null, schema: SchemaObject): string {
  if (task?.kind !== "mapping") return "{}\n";
  const defaults = new Map(named(schema["properties"]).map(([name, property]) => [name, typeof property === "object" ? property["default"] : undefined]));
  const shift = Date.now() - Date.parse(stringUnder(task, "created") ?? "");
  const hasQueue = pairOf(task, "taskQueueId") !== undefined;
  const pairs = task.pairs.flatMap((pair) => {
    if (pair.key === "taskGroupId" || (hasQueue && (pair.key === "provisionerId" || pair.key === "workerType"))) return [];
    const fallback = defaults.get(pair.key);
    if (fallback !== undefined && jsonText(pair.value) === JSON.stringify(fallback)) return [];
    return [TIMES.includes(pair.key) ? { ...pair, value: later(pair.value, shift) } : pair];
  });
  return `${jsonText({ ...task, pairs } satisfies Mapping, true)}\n`;
}

/** What a task is, for who wrote several: `, for p/w: “its name”`. `page` is the worker type that goes without saying. */
export function subjectOf(task: Node | null, page: string): string {
  const id = workerTypeOf(task);
  const named = stringUnder(pairOf(task, "metadata")?.value ?? null, "name") ?? "";
  const target = id === null || id === page ? "" : page === "" ? `, for ${id}` : `, for ${id} and not for ${page}`;
  return `${target}${named === "" || named === UNNAMED ? "" : `: “${named}”`}`;
}

function later(time: Node | null, shift: number): Node | null {
  const at = time?.kind === "scalar" ? Date.parse(time.text) + shift : NaN;
  if (time?.kind !== "scalar" || Number.isNaN(at)) return time;
  const text = new Date(at).toISOString();
  return { ...time, text, json: JSON.stringify(text) } satisfies Scalar;
}
