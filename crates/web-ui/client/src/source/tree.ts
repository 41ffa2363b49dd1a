/**
 * What a text says, with the place of every token: the same tree for JSON and for YAML.
 *
 * Positions are offsets into the text, in UTF-16 units, the end exclusive.
 */

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A part of a text and what stands there instead. */
export interface Change extends Range {
  readonly insert: string;
}

export interface Scalar extends Range {
  readonly kind: "scalar";
  readonly type: "string" | "number" | "boolean" | "null";
  /** As JSON, with every digit that its author wrote. */
  readonly json: string;
  /** A string's characters; of others, their JSON. */
  readonly text: string;
  /** Whether it stands without quotes. */
  readonly plain: boolean;
}

export interface Pair {
  readonly key: string;
  readonly keyRange: Range;
  /** None where the text breaks off before it. */
  readonly value: Node | null;
}

export interface Mapping extends Range {
  readonly kind: "mapping";
  readonly pairs: readonly Pair[];
  /** In braces. */
  readonly flow: boolean;
}

export interface Sequence extends Range {
  readonly kind: "sequence";
  readonly items: readonly (Node | null)[];
  /** In brackets. */
  readonly flow: boolean;
}

export type Node = Scalar | Mapping | Sequence;

export interface SyntaxFault extends Range {
  readonly message: string;
  /** What to write in the place of the faulty part, where that is plain. */
  readonly fix?: Fix;
  /** What mends the whole text, where mending the faulty part alone would change what the text says. */
  readonly mend?: WholeFix;
}

export interface Fix {
  readonly name: string;
  readonly insert: string;
}

export interface WholeFix {
  readonly name: string;
  changes(text: string): Change[];
}

export interface Source {
  /** None where the text is empty or nothing of it can be understood. */
  readonly root: Node | null;
  readonly faults: readonly SyntaxFault[];
}

export type Language = "json" | "yaml";

/** A step of a path: a key, or a position in a sequence. */
export type Segment = string | number;

/** The value under `key`; none where it is missing. The last of equal keys counts, as for every JSON reader. */
export function pairOf(node: Node | null | undefined, key: string): Pair | undefined {
  return node?.kind === "mapping" ? node.pairs.findLast((pair) => pair.key === key) : undefined;
}

/** The node that a path leads to. */
export function nodeAt(root: Node | null, path: readonly Segment[]): Node | null {
  let node = root;
  for (const segment of path) {
    if (node?.kind === "sequence" && typeof segment === "number") node = node.items[segment] ?? null;
    else node = pairOf(node, String(segment))?.value ?? null;
  }
  return node;
}

/** The string under `key`, where there is one. */
export function stringUnder(node: Node | null, key: string): string | undefined {
  const value = pairOf(node, key)?.value;
  return value?.kind === "scalar" && value.type === "string" ? value.text : undefined;
}
