/** What a queue says of times, as `crates/queue` has it. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { timeFindings } from "../src/page/time-rules";
import { readJson } from "../src/source/read-json";

const NOW = Date.parse("2026-06-01T12:00:00Z");
const MINUTE = 60_000;
const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();
const DAYS = 24 * 60;

const told = (created: number, deadline: number, expires?: number) => {
  const task = { created: at(created), deadline: at(deadline), ...(expires === undefined ? {} : { expires: at(expires) }) };
  return timeFindings(readJson(JSON.stringify(task)).root, NOW);
};

// The limits on both sides: Taskcluster's queue allows clocks to be 15 minutes apart, and a deadline in five days.
test.each([
  [0, 60, undefined, []],
  [-15, 60, undefined, []],
  [-16, 60, undefined, ["/created in the past"]],
  [15, 60, undefined, []],
  [16, 60, undefined, ["/created in the future"]],
  [10, 9, undefined, ["/deadline before `created`"]],
  [-10, -5, undefined, ["/deadline in the past"]],
  [0, 5 * DAYS + 15, undefined, []],
  [0, 5 * DAYS + 16, undefined, ["/deadline more than 5 days into the future"]],
  [0, 60, 59, ["/expires before `deadline`"]],
  [0, 60, 60, []],
  [-3 * DAYS, -2 * DAYS, -1 * DAYS, ["/created in the past", "/deadline in the past"]],
] as const)("created in %i min, deadline in %i, expires in %s: %s", (created, deadline, expires, expected) => {
  const found = told(created, deadline, expires);
  expect(found.map(({ pointer, message }) => `${pointer} ${/cannot be (.*?)( \(|$)/.exec(message)?.[1]}`)).toEqual(expected);
});

test("the words are the queue's", () => {
  const queue = readFileSync(new URL("../../../queue/src/new_task.rs", import.meta.url), "utf8");
  const messages = [told(-16, 60), told(16, 60), told(10, 9), told(-10, -5), told(0, 6 * DAYS), told(0, 60, 59)].flat().map(({ message }) => message);
  expect(messages).toHaveLength(6);
  for (const message of messages) expect(queue).toContain(`"${message.replace("the queue would refuse this: ", "")}"`);
});

test("moving the times is offered where it mends, and only there", () => {
  const offers = (created: number, deadline: number) => told(created, deadline).map(({ pointer, mend }) => [pointer, mend?.name]);
  expect(offers(-3 * DAYS, -2 * DAYS)).toEqual([["/created", "Set times to now"], ["/deadline", "Set times to now"]]);
  expect(offers(0, 6 * DAYS)).toEqual([["/deadline", undefined]]);
  expect(offers(-60, -61)).toEqual([["/created", "Set times to now"], ["/deadline", undefined]]);
});

test("what is no time of RFC 3339 is left to the task's shape", () => {
  for (const text of ['{"created": "yesterday"}', '{"created": 5, "deadline": "2020-01-01"}', "[]", "{}"]) {
    expect(timeFindings(readJson(text).root, NOW), text).toEqual([]);
  }
});
