/** From the pointer of an error (RFC 6901) to the token that a person should look at. */

import { type Mapping, type Node, type Pair, type Range, type Segment, pairOf } from "./tree";

/** Problems about a name that should not be there, or not be so. */
const ABOUT_KEYS = new Set([
  "additionalProperties", "unevaluatedProperties", "propertyNames", "unknown-field", "dependentRequired", "contract-and-release", "placeholder-lines",
]);

export function segments(pointer: string): string[] {
  return pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function pointerTo(path: readonly Segment[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export interface Place extends Range {
  /** What stands there; none where it is missing. */
  readonly node: Node | null;
  /** Whether the text breaks off where the value should be, so that what is said of the value says nothing. */
  readonly hole: boolean;
}

/** The token that an error is about: what is missing is marked on what encloses it. */
export function locate(root: Node | null, pointer: string, problem: string): Place {
  if (root === null) return { from: 0, to: 0, node: null, hole: true };
  let node: Node = root;
  let pair: Pair | undefined;
  const steps = segments(pointer);
  for (const [index, step] of steps.entries()) {
    const next: Pair | undefined = pairOf(node, step);
    const value: Node | null = node.kind === "sequence" ? (node.items[Number(step)] ?? null) : (next?.value ?? null);
    const last = index === steps.length - 1;
    if (next === undefined && node.kind === "mapping") return { ...enclosing(node, pair), node, hole: false };
    if (value === null) {
      const range = next?.keyRange ?? head(node);
      return { from: range.from, to: range.to, node: null, hole: !ABOUT_KEYS.has(problem) };
    }
    if (last && next !== undefined && ABOUT_KEYS.has(problem)) return { ...next.keyRange, node: value, hole: false };
    node = value;
    pair = next;
  }
  return { ...token(node, pair), node, hole: false };
}

/** A value's own token; for what spreads over lines, its name. */
function token(node: Node, pair: Pair | undefined): Range {
  if (node.kind === "scalar") {
    // Nothing was written behind the colon.
    if (node.from === node.to && pair !== undefined) return pair.keyRange;
    return { from: node.from, to: node.to };
  }
  return enclosing(node, pair);
}

function enclosing(node: Node, pair: Pair | undefined): Range {
  return pair?.keyRange ?? head(node);
}

/** The opening bracket, or the first key. */
function head(node: Node): Range {
  const first = node.kind === "mapping" ? (node as Mapping).pairs[0] : undefined;
  if (node.kind !== "scalar" && !node.flow && first !== undefined) return first.keyRange;
  return { from: node.from, to: Math.min(node.from + 1, Math.max(node.to, node.from)) };
}
