/** The schema of tasks for the worker type that the text names now, fetched once each. */

import type { Json, Schema } from "../schema/schema";
import { isObject } from "../schema/schema";
import { SchemaWalk } from "../schema/schema-at";
import { ask, Refused } from "./api";

export class TaskSchemas {
  private readonly known = new Map<string, SchemaWalk | null>();
  private wanted = "";
  private last: SchemaWalk | null = null;

  constructor(private readonly api: string) {}

  get current(): SchemaWalk | null {
    return this.known.get(this.wanted) ?? this.last;
  }

  /** The text names this worker type. */
  want(id: string): void {
    if (this.wanted === id) return;
    this.wanted = id;
    if (!this.known.has(id)) void this.fetch(id);
  }

  private async fetch(id: string): Promise<void> {
    // Names are typed letter by letter: only one that stays is asked for.
    await new Promise((resolve) => setTimeout(resolve, 80));
    if (this.wanted !== id || this.known.has(id)) return;
    try {
      const schema = await ask<Schema>(`${this.api}/task-schema?workerType=${encodeURIComponent(id)}`);
      this.known.set(id, new SchemaWalk(schema));
      this.last = new SchemaWalk(withoutWorkerType(schema));
    } catch (error) {
      // There is no such worker type; the queue's own rules still hold.
      if (error instanceof Refused) this.known.set(id, null);
    }
  }
}

/** What every queue asks of every task. */
function withoutWorkerType(schema: Schema): Schema {
  const definitions: Json | undefined = isObject(schema) ? schema["$defs"] : undefined;
  return isObject(definitions) && definitions["createTask"] !== undefined ? { $ref: "#/$defs/createTask", $defs: definitions } : schema;
}
