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

const rolling = (verdict: Verdict["verdict"], policy: string, older: Verdict["verdict"], newer: Verdict["verdict"]): string =>
  reportOf({
    ...VERDICT, verdict, revisions: [{ revision: 10 }, { revision: 11 }],
    rollout: { policy, revisions: [{ revision: 10, verdict: older }, { revision: 11, verdict: newer }] },
  }).summary;

test("in a lenient rollout it is said which revision accepts, which refuses, and what follows", () => {
  expect(rolling("valid", "lenient", "invalid", "valid")).toBe(
    "Valid: a lenient rollout of p/w is open: revision 11 accepts it, revision 10 refuses it, and one of them is enough.",
  );
  expect(rolling("valid", "lenient", "valid", "invalid")).toBe(
    "Valid: a lenient rollout of p/w is open: revision 10 accepts it, revision 11 refuses it, and one of them is enough. When the rollout is complete, it is refused.",
  );
  expect(rolling("invalid", "lenient", "invalid", "invalid")).toBe(
    "Invalid: a lenient rollout of p/w is open, and both revisions, 10 and 11, refuse this task. The queue will not create it.",
  );
});

test("in a strict rollout it is said that both must accept, and which refuses", () => {
  expect(rolling("invalid", "strict", "invalid", "valid")).toBe(
    "Invalid: a strict rollout of p/w is open: both must accept a task; revision 10 refuses it, revision 11 accepts it. The queue will not create it.",
  );
  expect(rolling("invalid", "strict", "valid", "invalid")).toContain("revision 11 refuses it, revision 10 accepts it.");
  expect(rolling("valid", "strict", "valid", "valid")).toBe("Valid: a strict rollout of p/w is open, and both revisions, 10 and 11, accept this task.");
});

test("what the summary says of a rollout is not said again as a warning, and other warnings stay", () => {
  const rollout = { policy: "lenient", revisions: [{ revision: 10, verdict: "invalid" as const }, { revision: 11, verdict: "valid" as const }] };
  const warnings = ["rejected-by-revision", "deprecated"].map((problem) => ({ ...error(""), problem }));
  const said = (verdict: Verdict) => reportOf({ ...verdict, warnings }).findings.map(({ problem }) => problem);
  expect(said({ ...VERDICT, verdict: "valid", rollout })).toEqual(["deprecated"]);
  // Without the words in the summary it is all that tells of the rollout.
  expect(said({ ...VERDICT, verdict: "unchecked", reason: "needs-task", rollout })).toEqual(["rejected-by-revision", "deprecated"]);
  // The summary is about something else where every queue refuses the task.
  const refused = reportOf({ ...VERDICT, verdict: "valid", rollout, warnings }, [error("/metadata")]);
  expect(refused.findings.map(({ pointer, problem }) => `${problem} ${pointer}`.trim())).toEqual(["rejected-by-revision", "deprecated", "type /metadata"]);
});
