/** A tree as YAML, with the digits of its source. Written here, because a library's numbers lose digits. */

import type { Node, Scalar } from "./tree";

export function yamlText(node: Node | null): string {
  if (node === null) return "";
  const text = block(node, "");
  return text.startsWith("\n") ? text.slice(1) + "\n" : `${text.trimStart()}\n`;
}

/** Behind a colon or a dash: ` value`, or lines below. */
function block(node: Node | null, indent: string): string {
  if (node === null) return "";
  if (node.kind === "scalar") return ` ${scalar(node, indent)}`;
  if (node.kind === "sequence") {
    if (node.items.length === 0) return " []";
    return node.items.map((item) => `\n${indent}-${inItem(item, `${indent}  `)}`).join("");
  }
  if (node.pairs.length === 0) return " {}";
  const pairs = node.pairs.map(({ key, value }) => {
    const deeper = `${indent}  `;
    return `\n${indent}${quotedWhereNeeded(key)}:${block(value, deeper)}`;
  });
  return pairs.join("");
}

/** A collection in a sequence begins on the line of its dash. */
function inItem(item: Node | null, indent: string): string {
  const text = block(item, indent);
  return text.startsWith(`\n${indent}`) ? ` ${text.slice(indent.length + 1)}` : text;
}

function scalar(node: Scalar, indent: string): string {
  if (node.type !== "string") return node.json;
  const text = node.text;
  const lines = text.split("\n");
  const readable = lines.length > 2 || (lines.length === 2 && text.length > 60);
  if (readable && /^\S/.test(text) && !/[^\S\n]\n|[^\S\n]$|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]|\n\n$/.test(text)) {
    const body = text.replace(/\n$/, "").split("\n");
    const inner = indent === "" ? "  " : indent;
    return `|${text.endsWith("\n") ? "" : "-"}${body.map((line) => (line === "" ? "\n" : `\n${inner}${line}`)).join("")}`;
  }
  return quotedWhereNeeded(text);
}

/** Words that YAML 1.1 or 1.2 takes for something else than a string. */
const WORDS = /^(true|false|null|yes|no|on|off|y|n|~|<<|=)$/i;

/** A string as YAML, in quotes where it would be read as something else. `flow`: it stands in braces or brackets. */
export function quotedWhereNeeded(text: string, flow = false): string {
  const plain = /^[A-Za-z_$/(][^\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]*$/.test(text) && !(flow && /[{}[\],]/.test(text));
  if (plain && !WORDS.test(text) && !/:(\s|$)|\s$|\s#/.test(text)) return text;
  return JSON.stringify(text);
}
