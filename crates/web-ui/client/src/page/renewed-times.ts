/** The times of a task moved to now, each on its token; the rest of the text stays as it is. */

import { type Change, type Node, pairOf, stringUnder } from "../source/tree";

export const TIMES = ["created", "deadline", "expires"];

/** Nothing where `created` is no time. */
export function renewedTimes(task: Node | null, text: string, now = Date.now()): Change[] {
  const shift = now - Date.parse(stringUnder(task, "created") ?? "");
  return TIMES.flatMap((name) => {
    const time = pairOf(task, name)?.value;
    const at = time?.kind === "scalar" ? Date.parse(time.text) + shift : NaN;
    if (time === null || time === undefined || Number.isNaN(at)) return [];
    const quote = /^["']/.exec(text.slice(time.from, time.to))?.[0] ?? "";
    return [{ from: time.from, to: time.to, insert: `${quote}${new Date(at).toISOString()}${quote}` }];
  });
}
