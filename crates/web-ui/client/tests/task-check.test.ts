/** What is said of a task as a whole. */

import { expect, test } from "vitest";
import { type Verdict, liveGeneration, reportOf } from "../src/page/task-check";

const VERDICT: Verdict = {
  verdict: "invalid", workerTypeId: "p/w", generation: 3, revisions: [{ revision: 2 }], validation: "enforce", rejectedBy: [], warnings: [], errors: [], moreErrors: 0,
};
const error = (pointer: string) => ({ problem: "type", pointer, message: pointer, expected: null, actual: null, suggestion: null, description: null, variant: null });

test("the list counts, and nothing beside it does: errors of syntax and shape come to those of the verdict", () => {
  const { summary } = reportOf({ ...VERDICT, errors: [error("/payload/a"), error("/payload/b")] });
  expect(summary).toBe("Invalid: p/w, revision 2 refuses this task. The queue will not create it.");
});

test("errors that the service left out are told of", () => {
  expect(reportOf({ ...VERDICT, validation: "warn", moreErrors: 40 }).summary).toContain("There are more errors than are listed.");
});

test("a schema is asked for only where there is one", () => {
  expect(liveGeneration(VERDICT)).toBe(3);
  // A tombstone keeps its generation.
  expect(liveGeneration({ ...VERDICT, verdict: "unchecked", reason: "deleted" })).toBeNull();
  expect(liveGeneration({ ...VERDICT, verdict: "unchecked", reason: "unknown-worker-type", generation: null })).toBeNull();
});
