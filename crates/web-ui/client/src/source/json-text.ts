/** A tree as JSON, with the digits of its source. */

import type { Node } from "./tree";

/** Compact, or indented by two spaces. What is missing is null; of equal keys the last one counts. */
export function jsonText(node: Node | null, indented = false): string {
  return written(node, indented ? "\n" : "");
}

function written(node: Node | null, line: string): string {
  if (node === null) return "null";
  if (node.kind === "scalar") return node.json;
  const deeper = line === "" ? "" : `${line}  `;
  const colon = line === "" ? ":" : ": ";
  if (node.kind === "sequence") {
    if (node.items.length === 0) return "[]";
    return `[${node.items.map((item) => deeper + written(item, deeper)).join(",")}${line}]`;
  }
  if (node.pairs.length === 0) return "{}";
  const single = new Map(node.pairs.map((pair) => [pair.key, pair]));
  const pairs = [...single.values()].map((pair) => `${deeper}${JSON.stringify(pair.key)}${colon}${written(pair.value, deeper)}`);
  return `{${pairs.join(",")}${line}}`;
}
