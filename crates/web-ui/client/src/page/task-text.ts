/** The task that an empty page begins with. */

/** Milliseconds until the deadline of a new task. */
const DAY = 24 * 60 * 60 * 1000;

/** `fields` are those that depend on the worker type. */
export function newTask(fields: Readonly<Record<string, unknown>>): string {
  const now = Date.now();
  const { taskQueueId, payload, metadata, ...rest } = fields;
  const task = {
    taskQueueId,
    created: new Date(now).toISOString(),
    deadline: new Date(now + DAY).toISOString(),
    ...rest,
    metadata: metadata ?? {
      name: "A new task",
      description: "What it does, and for whom.",
      owner: "you@example.com",
      source: location.origin + location.pathname,
    },
    payload,
  };
  return `${JSON.stringify(task, null, 2)}\n`;
}
