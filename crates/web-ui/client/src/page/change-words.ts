/** What a change of a worker type did, in words. */

import type { Change } from "./feed";

/** Where it is known that something changed, and not what was done. */
export const UNKNOWN = "unknown";

/** A sentence; `when` stands in it, as in “just now”. */
export function changeWords({ kind, revision }: Change, when: string): string {
  if (kind === "worker-type-deleted") return `This worker type was deleted ${when}.`;
  if (revision === undefined) return `What is live was changed ${when}.`;
  switch (kind) {
    case "worker-type-published":
    case "worker-type-rolled-back":
      return `Revision ${revision} was published ${when}.`;
    case "rollout-started":
      return `Revision ${revision} was published ${when}; its rollout is in progress.`;
    case "rollout-completed":
      return `The rollout was completed ${when}: revision ${revision} is live alone.`;
    case "rollout-aborted":
      return `The rollout was aborted ${when}: revision ${revision} is live alone again.`;
    default:
      return `What is live was changed ${when}: it is revision ${revision} now.`;
  }
}
