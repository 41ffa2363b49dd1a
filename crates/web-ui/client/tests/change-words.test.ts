/** Each kind of change says what it did, and never a publish that was none. */

import { expect, test } from "vitest";
import { changeWords } from "../src/page/change-words";

test.each([
  ["worker-type-published", "Revision 2 was published just now."],
  ["worker-type-rolled-back", "Revision 2 was published just now."],
  ["rollout-started", "Revision 2 was published just now; its rollout is in progress."],
  ["rollout-completed", "The rollout was completed just now: revision 2 is live alone."],
  ["rollout-aborted", "The rollout was aborted just now: revision 2 is live alone again."],
  ["worker-type-deleted", "This worker type was deleted just now."],
  ["of a later version", "What is live was changed just now: it is revision 2 now."],
])("%s", (kind, words) => {
  expect(changeWords({ kind, revision: 2 }, "just now")).toBe(words);
});

test("a revision that is not known is not named", () => {
  expect(changeWords({ kind: "worker-type-published" }, "since you began")).toBe("What is live was changed since you began.");
});
