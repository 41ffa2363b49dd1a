/** A document with one top-level field replaced or added; the rest is its source, byte for byte. */

import { jsonText } from "../source/json-text";
import { type Language, type Mapping, type Node, type Pair, type Scalar, pairOf } from "../source/tree";
import { yamlText } from "../source/yaml-text";

const NOWHERE = { from: 0, to: 0 };

/** `root` is what `text` reads as, without faults. None where that has no fields. */
export function withField(text: string, root: Node | null, key: string, value: string, language: Language): string | null {
  const scalar: Scalar = { kind: "scalar", type: "string", json: JSON.stringify(value), text: value, plain: false, ...NOWHERE };
  return withNode(text, root, key, scalar, language);
}

export function withNode(text: string, root: Node | null, key: string, value: Node, language: Language): string | null {
  if (root !== null && root.kind !== "mapping") return null;
  const known = pairOf(root, key);
  if (root === null) return language === "json" ? null : appended(text, null, key, value);
  if (root.flow) return known === undefined ? addedInBraces(text, root, key, value) : replacedInBraces(text, known, value);
  return known === undefined ? appended(text, root, key, value) : replacedBelow(text, known, value);
}

function addedInBraces(text: string, root: Mapping, key: string, value: Node): string {
  const last = root.pairs.at(-1);
  const indent = last === undefined ? `${indentAt(text, root.from)}  ` : indentAt(text, last.keyRange.from);
  const written = `${JSON.stringify(key)}: ${indented(jsonText(value, true), indent)}`;
  if (last === undefined) return spliced(text, root.from + 1, root.from + 1, `\n${indent}${written}\n`);
  const end = last.value === null ? last.keyRange.to : last.value.to;
  const begins = /\n[ \t]*$/.test(text.slice(0, last.keyRange.from));
  return spliced(text, end, end, begins ? `,\n${indent}${written}` : `, ${written}`);
}

function replacedInBraces(text: string, { keyRange, value: old }: Pair, value: Node): string {
  const written = indented(jsonText(value, true), indentAt(text, keyRange.from));
  if (old === null) return spliced(text, keyRange.to, keyRange.to, `: ${written}`);
  return spliced(text, old.from, old.to, `${gap(text, old.from)}${written}`);
}

/** Behind everything, comments too: the empty lines at an end may be a text's. Before the sign that ends the document. */
function appended(text: string, root: Mapping | null, key: string, value: Node): string {
  const behind = root?.to ?? 0;
  const sign = /^\.\.\.(?=\s|$)/m.exec(text.slice(behind));
  const at = sign === null ? text.length : behind + sign.index;
  const before = text.slice(0, at);
  const indent = root === null ? "" : indentAt(text, root.from);
  const pair = yamlText({ kind: "mapping", pairs: [{ key, keyRange: NOWHERE, value }], flow: false, ...NOWHERE });
  return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${indent}${indented(pair.trimEnd(), indent)}\n${text.slice(at)}`;
}

/** A comment that stands behind the old value stays on the line of the key. */
function replacedBelow(text: string, { key, keyRange, value: old }: Pair, value: Node): string {
  const from = old?.from ?? keyRange.to + 1;
  const to = old?.to ?? from;
  const end = text.indexOf("\n", to) < 0 ? text.length : text.indexOf("\n", to);
  const header = /^[|>][-+\d]*([ \t]+#[^\n]*)/.exec(text.slice(from, to))?.[1];
  const rest = header ?? text.slice(to, end).trimEnd();
  const pair = yamlText({ kind: "mapping", pairs: [{ key, keyRange: NOWHERE, value }], flow: false, ...NOWHERE }).trimEnd();
  const [first = "", ...lines] = indented(pair, indentAt(text, keyRange.from)).slice(pair.indexOf(":", keyText(pair)) + 1).replace(/^ +/, "").split("\n");
  const whole = spliced(text, from, header === undefined ? end : to, [`${first === "" ? "" : gap(text, from)}${first}${rest}`, ...lines].join("\n"));
  return whole.endsWith("\n") ? whole : `${whole}\n`;
}

/** Where the key of a written pair ends: in quotes, it may have colons. */
function keyText(pair: string): number {
  return /^"(?:\\.|[^"\\])*"/.exec(pair)?.[0].length ?? 0;
}

/** Nothing may stand directly behind a colon. */
function gap(text: string, position: number): string {
  return text[position - 1] === ":" ? " " : "";
}

function indentAt(text: string, position: number): string {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, position))?.[0] ?? "";
}

/** Lines below the first as deep as `indent`; empty ones stay empty. */
function indented(lines: string, indent: string): string {
  return lines.replace(/\n(?!\n)/g, `\n${indent}`);
}

function spliced(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}
