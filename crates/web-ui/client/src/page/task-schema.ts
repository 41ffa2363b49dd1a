/** The schema of tasks for the worker type that the text names now, fetched once for each of its generations. */

import type { Schema } from "../schema/schema";
import { SchemaWalk } from "../schema/schema-at";
import { ask } from "./api";

export class TaskSchemas {
  private readonly known = new Map<string, Promise<SchemaWalk>>();
  private wanted = "";
  private found: SchemaWalk;
  private readonly everyTask: SchemaWalk;

  /** `everyTask` is what every queue asks of every task. */
  constructor(private readonly api: string, everyTask: Schema) {
    this.everyTask = new SchemaWalk(everyTask);
    this.found = this.everyTask;
  }

  get current(): SchemaWalk {
    return this.found;
  }

  /** The text names this worker type; `generation` is what the service last said of it, none if it knows none. */
  async want(id: string, generation: number | null): Promise<void> {
    const key = `${id} ${generation ?? ""}`;
    if (this.wanted === key) return;
    this.wanted = key;
    if (id === "" || generation === null) {
      this.found = this.everyTask;
      return;
    }
    const schema = this.known.get(key) ?? this.fetch(id);
    this.known.set(key, schema);
    try {
      const walk = await schema;
      if (this.wanted === key) this.found = walk;
    } catch {
      // The next verdict asks again; until then the old one helps.
      this.known.delete(key);
      if (this.wanted === key) this.wanted = "";
    }
  }

  private async fetch(id: string): Promise<SchemaWalk> {
    return new SchemaWalk(await ask<Schema>(`${this.api}/task-schema?workerType=${encodeURIComponent(id)}`));
  }
}
