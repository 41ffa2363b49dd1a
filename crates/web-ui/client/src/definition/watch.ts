/** Tells when somebody else changes a worker type. */

import { Refused, ask } from "../page/api";
import { UNKNOWN } from "../page/change-words";
import { type Change, follow } from "../page/feed";

/** Where the feed stands now: taken before a definition is read, so that no change falls between. */
export async function cursorNow(api: string): Promise<string> {
  return (await ask<{ cursor: string }>(`${api}/worker-types?limit=1`)).cursor;
}

/** `changed` is called for each change of `id` behind `cursor`, until the answer is called; maybe twice for one. */
export function watch(api: string, id: string, cursor: string | null, changed: (change: Change) => void): () => void {
  return follow(cursor, {
    changed: (change) => {
      if (change.workerTypeId === id) changed(change);
    },
    renew: async () => {
      try {
        const next = await cursorNow(api);
        changed(await now(api, id));
        return next;
      } catch (error) {
        // Who may not read lists may not follow either.
        if (error instanceof Refused && error.wantsToken !== null) return null;
        throw error;
      }
    },
  });
}

/** What is live, as a change to it. */
async function now(api: string, id: string): Promise<Change> {
  try {
    const { generation, revision } = await ask<{ generation: number; revision: number }>(`${api}/worker-types/${id}`);
    return { kind: UNKNOWN, workerTypeId: id, generation, revision };
  } catch (error) {
    if (error instanceof Refused && error.problem.problem === "deleted") return { kind: "worker-type-deleted", workerTypeId: id };
    throw error;
  }
}
