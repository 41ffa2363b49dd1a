/** Tells when somebody else changes a worker type. */

import { ask } from "../page/api";

export interface Published {
  readonly workerTypeId?: string;
  readonly generation?: number;
  readonly revision?: number;
}

const KINDS = ["worker-type-published", "worker-type-rolled-back", "worker-type-deleted"];

/** `changed` is called for each change of `id` from now on, until the page is left. */
export async function watch(api: string, id: string, changed: (event: Published) => void): Promise<void> {
  const cursor = await ask<{ cursor: string }>(`${api}/worker-types?limit=1`).then((list) => list.cursor, () => null);
  if (cursor === null) return;
  // It resumes by itself after a break, from the last event that it saw.
  const source = new EventSource(`${api}/events?cursor=${encodeURIComponent(cursor)}`);
  const tell = (message: MessageEvent<string>): void => {
    const event = JSON.parse(message.data) as Published;
    if (event.workerTypeId === id) changed(event);
  };
  for (const kind of KINDS) source.addEventListener(kind, tell);
}
