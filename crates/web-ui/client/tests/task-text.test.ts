/** A task once more. */

import { expect, test } from "vitest";
import { again, newTask, subjectOf } from "../src/page/task-text";
import { renewedTimes } from "../src/page/renewed-times";
import { readYaml } from "../src/source/read-yaml";
import { readJson } from "../src/source/read-json";

test("it begins now, lasts as long, keeps its digits and leaves the queue's defaults to the queue", () => {
  const task = `{"taskQueueId": "p/w", "provisionerId": "p", "workerType": "w", "taskGroupId": "x", "retries": 5, "priority": "high",
    "created": "2026-01-01T00:00:00.000Z", "deadline": "2026-01-01T02:00:00.000Z", "payload": {"n": 9007199254740993}}`;
  const schema = { properties: { retries: { default: 5 }, priority: { default: "lowest" } } };
  const text = again(readJson(task).root, schema);
  const { created, deadline, ...rest } = JSON.parse(text) as Record<string, string>;
  expect(Date.parse(deadline ?? "") - Date.parse(created ?? "")).toBe(2 * 60 * 60 * 1000);
  expect(Math.abs(Date.now() - Date.parse(created ?? ""))).toBeLessThan(5_000);
  expect(Object.keys(rest)).toEqual(["taskQueueId", "priority", "payload"]);
  expect(text).toContain('"n": 9007199254740993');
});

test("times are moved on their tokens", () => {
  const text = "created: '2026-01-01T00:00:00Z' # when\ndeadline: 2026-01-01T02:00:00.000Z\nexpires: never\n";
  const changes = renewedTimes(readYaml(text).root, text, Date.parse("2030-05-05T00:00:00Z"));
  const moved = changes.reduceRight((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text);
  expect(moved).toBe("created: '2030-05-05T00:00:00.000Z' # when\ndeadline: 2030-05-05T02:00:00.000Z\nexpires: never\n");
  expect(renewedTimes(readYaml("created: x").root, "created: x")).toEqual([]);
});

test("a draft is told by its worker type, unless that goes without saying, and by its name", () => {
  const of = (text: string, page: string) => subjectOf(readJson(text).root, page);
  expect(of('{"taskQueueId": "p/w", "metadata": {"name": "Nightly"}}', "")).toBe(", for p/w: “Nightly”");
  expect(of('{"provisionerId": "p", "workerType": "w"}', "p/other")).toBe(", for p/w and not for p/other");
  expect(of('{"taskQueueId": "p/w", "metadata": {"name": "Nightly"}}', "p/w")).toBe(": “Nightly”");
  expect(of("{", "p/w")).toBe("");
  // The template's name tells nothing.
  expect(of(newTask({ taskQueueId: "p/w", payload: {} }), "p/w")).toBe("");
});

test("a new task's source is a place to put one's own: the address of this page would tell nobody what made the task", () => {
  const { metadata } = JSON.parse(newTask({ taskQueueId: "p/w", payload: {} })) as { metadata: { source: string; owner: string } };
  // RFC 2606: nobody's.
  expect([new URL(metadata.source).hostname, metadata.owner.split("@")[1]]).toEqual(["example.com", "example.com"]);
});
