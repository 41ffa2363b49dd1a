/** The newest tasks that the queue recorded for a worker type, as JSON texts. */

import { answer } from "../page/api";

/** Tasks that one look takes. */
const LIMIT = 1_000;

export async function recordedTasks(queue: string, id: string): Promise<string[]> {
  const response = await answer(`${queue}/task-queues/${id}/recorded-tasks?limit=${LIMIT}`, { headers: { accept: "application/x-ndjson" } });
  return (await response.text()).split("\n").filter((line) => line !== "");
}
