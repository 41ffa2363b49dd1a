/** What is written for a value that a schema asks for: its required keys, with places to fill in. */

import { quotedWhereNeeded } from "../source/yaml-text";
import type { Language } from "../source/tree";
import type { Json, Schema, SchemaObject } from "./schema";
import { type SchemaWalk, propertiesOf } from "./schema-at";
import { typesOf, valuesOf } from "./words";

export type Template =
  | { readonly kind: "literal"; readonly value: Json }
  /** A place to fill in, with what stands there until then. */
  | { readonly kind: "place"; readonly value?: Json; readonly text: boolean }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Template])[] }
  | { readonly kind: "array"; readonly items: readonly Template[] };

/** Required objects inside required objects that are written out. */
const DEEPEST = 4;

export function templateOf(walk: SchemaWalk, schemas: readonly Schema[], depth = 0): Template {
  const found = schemas.flatMap((schema) => walk.parts(schema));
  const values = valuesOf(found);
  const [only] = values;
  if (values.length === 1 && only !== undefined) return { kind: "literal", value: only };
  if (values.length > 1) return { kind: "place", text: values.every((value) => typeof value === "string") };
  const fallback = found.map((schema) => schema["default"]).find((value) => value !== undefined);
  if (fallback !== undefined && (typeof fallback !== "object" || fallback === null)) {
    return { kind: "place", value: fallback, text: typeof fallback === "string" };
  }
  const [type, ...others] = typesOf(found);
  if (others.length > 0) return { kind: "place", text: false };
  if (type === "object") return { kind: "object", members: depth < DEEPEST ? required(walk, found, depth) : [] };
  if (type === "array") {
    const inner = found.flatMap((schema) => itemsOf(schema));
    const item = inner.length > 0 && depth < DEEPEST ? templateOf(walk, inner, depth + 1) : null;
    return { kind: "array", items: item?.kind === "object" && item.members.length > 0 ? [item] : [] };
  }
  return { kind: "place", text: type === "string" };
}

function required(walk: SchemaWalk, found: readonly SchemaObject[], depth: number): [string, Template][] {
  const wanted = propertiesOf(found).filter((property) => property.required);
  return wanted.map(({ name, schemas }) => [name, templateOf(walk, schemas, depth + 1)]);
}

function itemsOf({ items }: SchemaObject): Schema[] {
  return typeof items === "object" && items !== null && !Array.isArray(items) ? [items as SchemaObject] : [];
}

export interface Layout {
  /** In braces or brackets. */
  readonly flow: boolean;
  /** What the text of the line stands behind, beyond its indentation. */
  readonly pad: string;
  /** A block begins where it is inserted, and not on the next line, deeper. */
  readonly here: boolean;
}

/**
 * As a snippet of CodeMirror (`${1:text}` marks a place). In JSON, and in YAML in braces, it begins where it is inserted; a
 * YAML block begins with a line break, unless the layout says otherwise. Lines below the first are indented as that is.
 */
export function snippetOf(template: Template, language: Language, { flow, pad, here }: Layout): string {
  const written = new Writer(language, flow).value(template, here ? pad.slice(2) : pad);
  if (!here || !written.startsWith("\n")) return written;
  // Without dashes before it, the block stands where the line does, and not two columns behind.
  return (pad === "" ? written.replaceAll("\n  ", "\n") : written).trimStart();
}

class Writer {
  private places = 0;

  constructor(private readonly language: Language, private readonly flow: boolean) {}

  value(template: Template, pad: string): string {
    switch (template.kind) {
      case "literal":
        return this.isBlock && isCollection(template.value) ? this.value(spelt(template.value), pad) : escaped(this.literal(template.value));
      case "place":
        return this.place(template);
      case "object":
        return this.object(template.members, pad);
      case "array":
        return this.array(template.items, pad);
    }
  }

  private get isBlock(): boolean {
    return this.language === "yaml" && !this.flow;
  }

  private literal(value: Json): string {
    return this.language === "yaml" && typeof value === "string" ? quotedWhereNeeded(value, this.flow) : JSON.stringify(value);
  }

  private place({ value, text }: Template & { kind: "place" }): string {
    this.places += 1;
    const quotes = text && this.language === "json";
    const shown = value === undefined ? "" : quotes ? JSON.stringify(value).slice(1, -1) : this.literal(value);
    const field = `\${${this.places}${shown === "" ? "" : `:${escaped(shown)}`}}`;
    return quotes ? `"${field}"` : field;
  }

  private object(members: readonly (readonly [string, Template])[], pad: string): string {
    const deeper = `${pad}  `;
    if (members.length === 0) {
      const place = this.place({ kind: "place", text: false });
      return this.isBlock ? `\n${deeper}${place}` : `\\{${place}\\}`;
    }
    if (this.language === "json") {
      const lines = members.map(([name, member]) => `\n${deeper}${escaped(JSON.stringify(name))}: ${this.value(member, deeper)}`);
      return `\\{${lines.join(",")}\n${pad}\\}`;
    }
    if (this.flow) {
      return `\\{${members.map(([name, member]) => `${escaped(quotedWhereNeeded(name, true))}: ${this.value(member, deeper)}`).join(", ")}\\}`;
    }
    return members.map(([name, member]) => `\n${deeper}${escaped(quotedWhereNeeded(name))}:${behindColon(this.value(member, deeper))}`).join("");
  }

  private array(items: readonly Template[], pad: string): string {
    const inner: readonly Template[] = items.length > 0 ? items : [{ kind: "place", text: false }];
    if (!this.isBlock) return `[${inner.map((item) => this.value(item, pad)).join(", ")}]`;
    // An item's first key stands on the line of the dash.
    return inner.map((item) => `\n${pad}  - ${this.value(item, `${pad}  `).trimStart()}`).join("");
  }
}

/** What stands behind a key: a block begins on the next line. */
export function behindColon(written: string): string {
  return written.startsWith("\n") ? written : ` ${written}`;
}

/** With something in it: what is empty has no lines of its own. */
function isCollection(value: Json): value is readonly Json[] | { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function spelt(value: readonly Json[] | { readonly [key: string]: Json }): Template {
  const literal = (inner: Json): Template => ({ kind: "literal", value: inner });
  if (Array.isArray(value)) return { kind: "array", items: (value as readonly Json[]).map(literal) };
  return { kind: "object", members: Object.entries(value).map(([name, inner]) => [name, literal(inner)] as const) };
}

/** Text that means itself in a snippet. */
function escaped(text: string): string {
  return text.replace(/[{}]/g, "\\$&");
}
