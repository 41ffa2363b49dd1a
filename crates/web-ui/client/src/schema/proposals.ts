/** What may stand at the cursor: keys, values, and what is written when one is taken. */

import type { Cursor } from "../source/cursor";
import { isProbe } from "../source/cursor";
import { quotedWhereNeeded } from "../source/yaml-text";
import type { Language } from "../source/tree";
import type { Json, SchemaObject } from "./schema";
import { type SchemaWalk, propertiesOf } from "./schema-at";
import { type Layout, behindColon, snippetOf, templateOf } from "./template";
import { firstText, typeWords, typesOf, unique, valuesOf } from "./words";

export interface Proposal {
  readonly label: string;
  readonly kind: "key" | "value" | "template";
  readonly detail: string;
  readonly info: string;
  /** Higher comes first. */
  readonly rank: number;
  /** What replaces the word with its quotes, as a snippet. */
  readonly snippet: string;
}

export function proposals(walk: SchemaWalk, cursor: Cursor, language: Language): Proposal[] {
  const found = walk.at(cursor.root, cursor.path, isProbe);
  return cursor.kind === "key" ? keys(walk, cursor, found, language) : values(walk, cursor, found, language);
}

function keys(walk: SchemaWalk, cursor: Cursor, found: readonly SchemaObject[], language: Language): Proposal[] {
  const offered = propertiesOf(found).filter((property) => !cursor.present.has(property.name));
  return offered.map(({ name, schemas, required }, index) => {
    const parts = schemas.flatMap((schema) => walk.parts(schema));
    const words = typeWords(parts);
    const key = language === "json" ? JSON.stringify(name) : quotedWhereNeeded(name, cursor.flow);
    const template = snippetOf(templateOf(walk, schemas), language, layout(cursor));
    return {
      label: name,
      kind: "key",
      detail: [required ? "required" : "", words].filter((part) => part !== "").join(" · "),
      info: firstText(parts, "description") ?? firstText(parts, "title") ?? "",
      rank: (required ? 50 : 0) - index / 1000,
      snippet: literal(key) + (cursor.named ? "" : `:${behindColon(template)}`),
    };
  });
}

function values(walk: SchemaWalk, cursor: Cursor, found: readonly SchemaObject[], language: Language): Proposal[] {
  const listed = valuesOf(found);
  const types = typesOf(found);
  const fallbacks = found.flatMap((schema) => (schema["default"] === undefined ? [] : [schema["default"]]));
  const examples = found.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as readonly Json[]) : []));
  const booleans = listed.length === 0 && types.includes("boolean") ? [true, false] : [];
  const all = unique([...listed, ...fallbacks, ...booleans, ...examples]);
  const proposed = all.map((value, index) => valueProposal(value, origin(value, listed, fallbacks, examples), cursor, language, index));
  const wantsTemplate = listed.length === 0 && cursor.word.quote === "" && types.some((type) => type === "object" || type === "array");
  return wantsTemplate ? [...proposed, ...templates(walk, cursor, found, language)] : proposed;
}

function origin(value: Json, listed: readonly Json[], fallbacks: readonly Json[], examples: readonly Json[]): string {
  const among = (values: readonly Json[]): boolean => values.some((other) => JSON.stringify(other) === JSON.stringify(value));
  if (among(fallbacks)) return "default";
  return !among(listed) && among(examples) ? "example" : "";
}

function valueProposal(value: Json, detail: string, cursor: Cursor, language: Language, index: number): Proposal {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return {
    label: text.length > 80 ? `${text.slice(0, 79)}…` : text,
    kind: "value",
    detail,
    info: "",
    rank: (detail === "default" ? 1 : 0) - index / 1000,
    snippet: inBlock(value, cursor, language) ? snippetOf({ kind: "literal", value }, language, layout(cursor)) : literal(written(value, cursor, language)),
  };
}

function written(value: Json, { word, flow }: Cursor, language: Language): string {
  if (language === "json" || typeof value !== "string" || word.quote === '"') return JSON.stringify(value);
  return word.quote === "'" && !/[\n]/.test(value) ? `'${value.replaceAll("'", "''")}'` : quotedWhereNeeded(value, flow);
}

function templates(walk: SchemaWalk, cursor: Cursor, found: readonly SchemaObject[], language: Language): Proposal[] {
  const template = templateOf(walk, found);
  if (template.kind !== "object" && template.kind !== "array") return [];
  const names = template.kind === "object" ? template.members.map(([name]) => name) : [];
  return [{
    label: template.kind === "object" ? "{ }" : "[ ]",
    kind: "template",
    detail: names.length > 0 ? `with ${names.join(", ")}` : template.kind,
    info: firstText(found, "description") ?? "",
    rank: 10,
    snippet: snippetOf(template, language, layout(cursor)),
  }];
}

/** Below a key; a value that is the first of its line begins where it stands. */
function layout({ kind, flow, line }: Cursor): Layout {
  return { flow, pad: " ".repeat(line.dashes), here: kind === "value" && line.first };
}

/** A value of several lines, where YAML has it in a block. */
function inBlock(value: Json, { flow, word }: Cursor, language: Language): boolean {
  return language === "yaml" && !flow && word.quote === "" && typeof value === "object" && value !== null;
}

/** Text that means itself in a snippet. */
export function literal(text: string): string {
  return text.replace(/[{}]/g, "\\$&");
}
