/** What a queue asks of a task's times, in its own words: told while one writes, by this computer's clock. */

import type { Finding } from "../editor/report";
import { type Node, stringUnder } from "../source/tree";
import { TIMES, renewedTimes } from "./renewed-times";

const MINUTE = 60_000;
/** How far the clocks of a queue and its callers may be apart. */
const DRIFT = 15 * MINUTE;
/** How far away a deadline may be. */
const LONGEST = 5 * 24 * 60 * MINUTE;
/** RFC 3339 §5.6. What is no time of it is told by the task's shape. */
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)$/;

/** The problem of a time that a queue refuses, as it names it. */
export const INVALID_TIME = "invalid-time";

/** The first rule that each of the times breaks, with the move to now where that mends it. */
export function timeFindings(task: Node | null, now = Date.now()): Finding[] {
  const [created, deadline, expires] = TIMES.map((name) => timeUnder(task, name));
  const shift = created === undefined ? NaN : now - created;
  const later = (time: number | undefined) => (time === undefined ? undefined : time + shift);
  const mended = Number.isNaN(shift) ? [] : brokenRules(later(created), later(deadline), later(expires), now).map(([name]) => name);
  return brokenRules(created, deadline, expires, now).map(([name, rule]) => ({
    severity: "warning",
    problem: INVALID_TIME,
    pointer: `/${name}`,
    message: `the queue would refuse this: ${rule}`,
    expected: null,
    suggestion: null,
    description: null,
    ...(Number.isNaN(shift) || mended.includes(name) ? {} : { mend: { name: "Set times to now", changes: (root, text) => renewedTimes(root, text) } }),
  }) satisfies Finding);
}

type Rule = readonly [name: string, rule: string];

/** The queue's rules in its order. */
function brokenRules(created: number | undefined, deadline: number | undefined, expires: number | undefined, now: number): Rule[] {
  const rules: (Rule | null)[] = [ofCreated(created, now), ofDeadline(created, deadline, now), ofExpires(deadline, expires)];
  return rules.filter((rule) => rule !== null);
}

function ofCreated(created: number | undefined, now: number): Rule | null {
  if (created === undefined) return null;
  if (created < now - DRIFT) return ["created", "`created` cannot be in the past (max 15min drift)"];
  return created > now + DRIFT ? ["created", "`created` cannot be in the future (max 15min drift)"] : null;
}

function ofDeadline(created: number | undefined, deadline: number | undefined, now: number): Rule | null {
  if (deadline === undefined) return null;
  if (created !== undefined && created > deadline) return ["deadline", "`deadline` cannot be before `created`"];
  if (deadline < now) return ["deadline", "`deadline` cannot be in the past"];
  return deadline > now + LONGEST + DRIFT ? ["deadline", "`deadline` cannot be more than 5 days into the future"] : null;
}

function ofExpires(deadline: number | undefined, expires: number | undefined): Rule | null {
  return deadline !== undefined && expires !== undefined && deadline > expires ? ["expires", "`expires` cannot be before `deadline`"] : null;
}

function timeUnder(task: Node | null, name: string): number | undefined {
  const text = stringUnder(task, name);
  const time = text !== undefined && TIME.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
