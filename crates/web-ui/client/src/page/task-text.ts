/** The task that an empty page begins with. */

/** Milliseconds until the deadline of a new task. */
const DAY = 24 * 60 * 60 * 1000;

export function newTask(workerType: string, payload: unknown): string {
  const now = Date.now();
  const task = {
    taskQueueId: workerType,
    created: new Date(now).toISOString(),
    deadline: new Date(now + DAY).toISOString(),
    metadata: {
      name: "A new task",
      description: "What it does and for whom.",
      owner: "you@example.com",
      source: location.origin + location.pathname,
    },
    payload,
  };
  return `${JSON.stringify(task, null, 2)}\n`;
}
