/** The releases that there are, and what each asks of the configuration of those who run it. */

import type { Inner, Named } from "../editor/assistance";
import { ask } from "../page/api";
import { type Schema, isSchema } from "../schema/schema";
import { SchemaWalk } from "../schema/schema-at";
import { type Node, type Segment, nodeAt, stringUnder } from "../source/tree";

/** How long a list is good for. */
const FRESH_MS = 30_000;

export class Releases {
  private listed: Promise<readonly Named[]> | null = null;
  private at = 0;
  /** By `name@version`; a release never changes. */
  private readonly schemas = new Map<string, Promise<SchemaWalk | null>>();

  constructor(private readonly api: string) {}

  /** `name@version` of each, an implementation's newest first; none where nobody can be asked. */
  names(): Promise<readonly Named[]> {
    if (this.listed === null || Date.now() - this.at > FRESH_MS) {
      this.at = Date.now();
      this.listed = this.list();
    }
    return this.listed;
  }

  /** Inside a variant's `configuration`, the schema of its release; none elsewhere. */
  async inside(root: Node | null, path: readonly Segment[]): Promise<Inner | null> {
    const [variants, index, field] = path;
    if (variants !== "variants" || typeof index !== "number" || field !== "configuration") return null;
    const release = stringUnder(nodeAt(root, [variants, index]), "release");
    // Half a name is no name: nothing is asked that is not there.
    if (release === undefined || !(await this.names()).some(({ name }) => name === release)) return null;
    const known = this.schemas.get(release) ?? this.fetch(release);
    this.schemas.set(release, known);
    const walk = await known.catch(() => null);
    if (walk === null) this.schemas.delete(release);
    return walk === null ? null : { walk, depth: 3 };
  }

  private async list(): Promise<readonly Named[]> {
    try {
      const { implementations } = await ask<{ implementations: readonly { name: string; versions: readonly string[] }[] }>(`${this.api}/implementations`);
      return implementations.flatMap(({ name, versions }) => versions.map((version, index) => ({
        name: `${name}@${version}`, detail: index === versions.length - 1 ? "newest" : "", rank: index - versions.length,
      })).reverse());
    } catch {
      this.listed = null;
      return [];
    }
  }

  private async fetch(release: string): Promise<SchemaWalk | null> {
    const at = release.indexOf("@");
    const [name, version] = [release.slice(0, at), release.slice(at + 1)];
    const { content } = await ask<{ content: { configurationSchema?: Schema } }>(
      `${this.api}/implementations/${encodeURIComponent(name)}/releases/${encodeURIComponent(version)}`);
    const schema = content.configurationSchema;
    return isSchema(schema) ? new SchemaWalk(schema) : null;
  }
}
