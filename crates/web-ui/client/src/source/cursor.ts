/**
 * What the cursor stands on: a key or a value, under which path.
 *
 * Found by writing a word there that nobody writes, reading the text, and looking where the word went. So an empty
 * line, an empty value or half a word in YAML needs no grammar of its own.
 */

import { readJson } from "./read-json";
import { readYaml } from "./read-yaml";
import type { Language, Mapping, Node, Range, Segment, Source } from "./tree";

const PROBE = "wm0probe0";

/** The word around the cursor, without its quotes. */
export interface Word extends Range {
  readonly quote: '"' | "'" | "";
  /** With its quotes. */
  readonly outer: Range;
}

export interface Cursor {
  readonly kind: "key" | "value";
  /** To the mapping for a key, to the value itself for a value. */
  readonly path: readonly Segment[];
  /** The document as it is without the word at the cursor. */
  readonly root: Node | null;
  readonly word: Word;
  /** The keys that stand beside it. */
  readonly present: ReadonlySet<string>;
  /** In braces or brackets. */
  readonly flow: boolean;
  /** A colon stands behind the word already. */
  readonly named: boolean;
  readonly line: Line;
}

/** How the word's line begins: where the lines of a YAML block that begins here must stand. */
export interface Line {
  /** Columns of the dashes before its text: `- key` begins two behind the line's indentation. */
  readonly dashes: number;
  /** The word is the first of its line, dashes aside. */
  readonly first: boolean;
}

/** What is being typed, in a document that `cursorsAt` gave. */
export function isProbe(node: Node): boolean {
  return node.kind === "scalar" && node.text === PROBE;
}

/** What may be meant at `position`: in YAML an empty line can begin a key as well as a value. */
export function cursorsAt(text: string, position: number, language: Language): Cursor[] {
  const word = wordAt(text, position, language);
  if (word === null) return [];
  const { from, to } = word.outer;
  const behind = text.slice(to);
  const named = /^[ \t]*:(\s|$|"|\[|\{)/.test(behind) || (language === "json" && /^\s*:/.test(behind));
  const line = lineAt(text, from);
  const probed = (inserted: string): Source => {
    const whole = text.slice(0, from) + inserted + behind;
    return language === "json" ? readJson(whole) : readYaml(whole);
  };
  if (language === "json") {
    const found = find(probed(JSON.stringify(PROBE)).root, word, named, line);
    return found === null ? [] : [found];
  }
  const faults = readYaml(text).faults.length;
  const attempts = word.quote === "" ? [named ? PROBE : `${PROBE}: `, PROBE] : [JSON.stringify(PROBE) + (named ? "" : ": "), JSON.stringify(PROBE)];
  const kinds = ["key", "value"] as const;
  return attempts.flatMap((inserted, index) => {
    const source = probed(inserted);
    if (source.faults.length > faults) return [];
    const found = find(source.root, word, named, line);
    return found !== null && found.kind === kinds[index] ? [found] : [];
  });
}

function lineAt(text: string, position: number): Line {
  const before = text.slice(text.lastIndexOf("\n", position - 1) + 1, position);
  const [, dashes = "", rest = ""] = /^\s*((?:-\s+)*)(.*)$/.exec(before) ?? [];
  return { dashes: dashes.length, first: rest === "" };
}

function find(root: Node | null, word: Word, named: boolean, line: Line): Cursor | null {
  const hit = root === null ? null : search(root, [], false);
  if (hit === null) return null;
  const present = new Set(hit.mapping?.pairs.map((pair) => pair.key).filter((key) => key !== PROBE) ?? []);
  return { kind: hit.kind, path: hit.path, root: hit.kind === "key" ? without(root) : root, word, present, flow: hit.flow, named, line };
}

interface Hit {
  readonly kind: "key" | "value";
  readonly path: Segment[];
  readonly mapping: Mapping | null;
  readonly flow: boolean;
}

function search(node: Node, path: Segment[], flow: boolean): Hit | null {
  if (node.kind === "scalar") return isProbe(node) ? { kind: "value", path, mapping: null, flow } : null;
  const inFlow = flow || node.flow;
  if (node.kind === "sequence") {
    for (const [index, item] of node.items.entries()) {
      const hit = item === null ? null : search(item, [...path, index], inFlow);
      if (hit !== null) return hit;
    }
    return null;
  }
  for (const pair of node.pairs) {
    if (pair.key === PROBE) return { kind: "key", path, mapping: node, flow: inFlow };
    const hit = pair.value === null ? null : search(pair.value, [...path, pair.key], inFlow);
    if (hit !== null) return hit;
  }
  return null;
}

/** The document without the key that is being typed. */
function without(node: Node | null): Node | null {
  if (node === null || node.kind === "scalar") return node;
  if (node.kind === "sequence") return { ...node, items: node.items.map(without) };
  const pairs = node.pairs.filter((pair) => pair.key !== PROBE);
  return { ...node, pairs: pairs.map((pair) => ({ ...pair, value: without(pair.value) })) };
}

/** The word around `position`; none in a comment and on a dash. */
export function wordAt(text: string, position: number, language: Language): Word | null {
  const start = text.lastIndexOf("\n", position - 1) + 1;
  const stop = text.indexOf("\n", position);
  const line = text.slice(start, stop < 0 ? text.length : stop);
  const column = position - start;
  const opened = openQuote(line, column, language);
  if (opened === "comment") return null;
  if (opened !== null) {
    const { at, quote } = opened;
    const closing = closingQuote(line, column, quote);
    const to = closing ?? column + (/^[\w./-]*/.exec(line.slice(column))?.[0].length ?? 0);
    const outer = { from: start + at, to: start + (closing === null ? to : to + 1) };
    return { from: start + at + 1, to: start + to, quote, outer };
  }
  const before = /[^\s,:{}[\]"'#]*$/.exec(line.slice(0, column))?.[0] ?? "";
  const after = /^[^\s,:{}[\]"'#]*/.exec(line.slice(column))?.[0] ?? "";
  if (language === "yaml" && /^-+$/.test(before + after)) return null;
  const range = { from: position - before.length, to: position + after.length };
  return { ...range, quote: "", outer: range };
}

function openQuote(line: string, column: number, language: Language): { at: number; quote: '"' | "'" } | "comment" | null {
  let open: { at: number; quote: '"' | "'" } | null = null;
  for (let at = 0; at < column; at += 1) {
    const letter = line[at] ?? "";
    if (open !== null) {
      if (letter === "\\" && open.quote === '"') at += 1;
      else if (letter === open.quote) open = null;
      continue;
    }
    const begins = language === "json" || /(^|[\s{[,:-])$/.test(line.slice(0, at));
    if (language === "yaml" && letter === "#" && /(^|\s)$/.test(line.slice(0, at))) return "comment";
    if (letter === '"' && begins) open = { at, quote: '"' };
    if (letter === "'" && begins && language === "yaml") open = { at, quote: "'" };
  }
  return open;
}

function closingQuote(line: string, column: number, quote: string): number | null {
  for (let at = column; at < line.length; at += 1) {
    if (line[at] === "\\" && quote === '"') at += 1;
    else if (line[at] === quote) return at;
  }
  return null;
}

/** The path to the token at `position`, and its range: for what is read rather than typed. */
export function pathAt(root: Node | null, position: number): { path: Segment[]; range: Range } | null {
  const path: Segment[] = [];
  let node = root;
  for (;;) {
    if (node === null || position < node.from || position > node.to) return null;
    if (node.kind === "scalar") return { path, range: node };
    if (node.kind === "sequence") {
      const index = node.items.findIndex((item) => item !== null && item.from <= position && position <= item.to);
      if (index < 0) return null;
      path.push(index);
      node = node.items[index] ?? null;
      continue;
    }
    const key = node.pairs.find((pair) => pair.keyRange.from <= position && position <= pair.keyRange.to);
    if (key !== undefined) return { path: [...path, key.key], range: key.keyRange };
    const inside = node.pairs.find(({ value }) => value !== null && value.from <= position && position <= value.to);
    if (inside === undefined) return null;
    path.push(inside.key);
    node = inside.value;
  }
}
