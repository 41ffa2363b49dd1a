/** What is wrong with a text that is no YAML, and what to do: the library's errors in words of this house. */

import type { YAMLParseError } from "yaml";
import type { Change, SyntaxFault } from "./tree";

/** Codes of errors that another on their line leaves behind. */
const AFTERMATH = ["UNEXPECTED_TOKEN", "MISSING_CHAR", "MULTILINE_IMPLICIT_KEY"];

/** As many as are marked: whoever has more is helped by the first ones. */
const MOST = 200;

/** Each error in plain words, on what is to be changed; without those that only follow from another. */
export function yamlFaults(errors: readonly YAMLParseError[], text: string): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  let last: number | null = null;
  for (const error of errors) {
    if (faults.length === MOST) break;
    const line = lineAround(text, error.pos[0]).start;
    if (line !== last || !AFTERMATH.includes(error.code)) faults.push(told(error, text));
    last = line;
  }
  return faults;
}

function told({ code, message, pos }: YAMLParseError, text: string): SyntaxFault {
  const from = Math.min(pos[0], text.length);
  const to = Math.min(Math.max(pos[1], from), text.length);
  const token = text.slice(from, to);
  switch (code) {
    case "TAB_AS_INDENT":
      return { from, to, message: "YAML is indented with spaces, not with tabs: put spaces here", mend: { name: "Put two spaces for each tab, on every line", changes: (now) => withoutTabs(now, from) } };
    case "DUPLICATE_KEY":
      return { from, to, message: "this key stands here twice: remove or rename one of the two" };
    case "BLOCK_AS_IMPLICIT_KEY":
      return nested(from, text);
    case "MULTILINE_IMPLICIT_KEY":
      return noColon(from, text);
    case "BAD_INDENT":
      return indented(from, to, message, text);
    case "MISSING_CHAR":
      return missing(from, to, message, text);
    case "UNEXPECTED_TOKEN":
      return unexpected(from, to, message, text);
    case "BAD_SCALAR_START":
      return { from, to, message: `no text begins with ${token} in YAML: put it in quotes` };
    case "BAD_DQ_ESCAPE":
      return { from, to: Math.min(from + 2, text.length), message: `in double quotes ${text.slice(from, from + 2)} means nothing: write \\\\ for a backslash, or put the text in single quotes` };
    case "BAD_ALIAS":
      return { from, to, message: `${token} stands for a name that is missing: put it in quotes if it is meant as text` };
    case "BLOCK_IN_FLOW":
      return { from, to, message: "a comma is missing here, or a quote: in braces and brackets, entries are separated by commas" };
    case "KEY_OVER_1024_CHARS":
      return { from, to, message: "a key has at most 1024 characters: is a line break missing before its colon?" };
    default:
      return { from, to, message };
  }
}

/**
 * Two spaces for each tab that a line begins with: all at once, because lines mended one by one would nest otherwise
 * meanwhile. Behind spaces a tab may be part of a text, and only the one at `told` is known not to be.
 */
function withoutTabs(text: string, told: number): Change[] {
  const changes: Change[] = [];
  for (const { index, 0: indent } of text.matchAll(/^[ \t]*\t[ \t]*/gm)) {
    const to = index + indent.length;
    if (!indent.startsWith("\t") && !(index <= told && told < to)) continue;
    changes.push({ from: index, to, insert: indent.replaceAll("\t", "  ") });
  }
  return changes;
}

/** A second colon where a value stands, or lines of a list that stand askew. */
function nested(from: number, text: string): SyntaxFault {
  const { start, end } = lineAround(text, from);
  const line = text.slice(start, end);
  if (/^\s*-/.test(text.slice(from, end))) return askew(text, from, "the items of a list begin below one another");
  const value = /:\s+(.*\S)/.exec(line)?.[1] ?? "";
  if (/:(\s|$)/.test(value)) {
    return { from, to: end, message: "two colons on one line: put the value in quotes, or the second key on a line of its own, deeper than the first" };
  }
  // The key has a value already, and the next line is deeper.
  return { from, to: Math.max(from + 1, end), message: "this key has a value already, and the line below is deeper: remove the value, or indent that line like this one" };
}

/** A line without a colon, told of where it ends. */
function noColon(from: number, text: string): SyntaxFault {
  const { end } = lineAround(text, from);
  const line = text.slice(from, end);
  if (/^\s*-/.test(line)) return { from, to: from + 1, message: "a list begins among keys: indent its items below a key, or remove the dash" };
  const glued = /^\s*([^\s:'"[\]{}]+):\S/.exec(line);
  if (glued?.[1] !== undefined) return { from, to: end, message: `a space is missing after the colon: ${glued[1]}: …` };
  return { from, to: end, message: "a colon is missing after this key: write key: value" };
}

function indented(from: number, to: number, message: string, text: string): SyntaxFault {
  const opened = /^Flow (map|sequence)/.exec(message);
  if (opened !== null) return unclosed(from, opened[1] === "map" ? "{" : "[", text);
  if (/must start at the same column/.test(message)) {
    return askew(text, from, /sequence/.test(message) ? "the items of a list begin below one another" : "the keys of a mapping begin below one another");
  }
  return { from, to, message: "this line is not indented as those above it: indent it as far as they are" };
}

function askew(text: string, from: number, rule: string): SyntaxFault {
  const { start, end } = lineAround(text, from);
  const first = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
  return { from: first, to: end, message: `this line is indented otherwise than those before it: ${rule}` };
}

/** The bracket that was opened last before `position` and not closed: the mark belongs there, not where the text gave up. */
function unclosed(position: number, bracket: "{" | "[", text: string): SyntaxFault {
  const close = bracket === "{" ? "}" : "]";
  let depth = 0;
  for (let at = position - 1; at >= 0; at -= 1) {
    if (text[at] === close) depth += 1;
    if (text[at] !== bracket) continue;
    if (depth === 0) return { from: at, to: at + 1, message: `this ${bracket} is never closed: write ${close}, on its line or on lines indented deeper than its key` };
    depth -= 1;
  }
  return { from: position, to: position, message: `a ${close} is missing` };
}

function missing(from: number, to: number, message: string, text: string): SyntaxFault {
  const quote = /^Missing closing (["'])/.exec(message)?.[1];
  if (quote !== undefined) {
    const at = openingQuote(text, quote);
    return { from: at, to: lineAround(text, at).end, message: `this ${quote} is never closed: write ${quote} where the text ends` };
  }
  if (/^Implicit map keys/.test(message)) return noColon(from, text);
  if (/^Sequence item without/.test(message)) return { from, to, message: "an item of a list begins with a dash and a space: - item" };
  if (/^Missing , /.test(message)) return { from, to, message: "a comma is missing before this: in braces and brackets, entries are separated by commas" };
  if (/^Comments must/.test(message)) return { from, to, message: "a space is missing before this #, which begins a comment" };
  if (/^Missing space after :/.test(message)) return { from, to, message: "a space is missing after the colon" };
  if (/directives-end/.test(message)) return { from, to, message: "a line that begins with % is a directive, behind which --- must stand: put it in quotes, or remove it" };
  return { from, to, message };
}

function unexpected(from: number, to: number, message: string, text: string): SyntaxFault {
  const token = text.slice(from, to);
  if (/same line with key/.test(message)) return { from, to, message: "a list begins on the line below its key: put this dash there, indented, or the value in quotes" };
  if (/^Block scalar header/.test(message)) return { from, to, message: "a text behind | or > begins on the next line, indented" };
  if (/flow-(seq|map)-end/.test(message)) return { from, to, message: `this ${token} closes nothing: remove it, or put the text in quotes` };
  if (/^Unexpected ,|empty item/.test(message)) return { from, to, message: "nothing stands before this comma: remove it" };
  const { start } = lineAround(text, from);
  if (text.slice(start, from).trim() === "") return { from, to: lineAround(text, from).end, message: "this line does not go on with what stands above it: indent it like those lines, or end them first" };
  if (/at node end$/.test(message)) return { from, to, message: "nothing may follow here: put the whole value in quotes, or this on a line of its own, indented like those above it" };
  return { from, to, message: "this cannot stand here: is a quote, a colon or indentation missing before it?" };
}

/** The quote that is open at the end of the text. */
function openingQuote(text: string, quote: string): number {
  const inside = quote === '"' ? /"(?:\\[^]|[^"\\])*"?/g : /'(?:''|[^'])*'?/g;
  let at = text.lastIndexOf(quote);
  for (const found of text.matchAll(inside)) {
    const begins = found.index === 0 || /[\s,:[{-]/.test(text[found.index - 1] ?? "");
    if (begins && (found[0].length === 1 || !found[0].endsWith(quote))) at = found.index;
  }
  return Math.max(at, 0);
}

function lineAround(text: string, position: number): { start: number; end: number } {
  const end = text.indexOf("\n", position);
  return { start: text.lastIndexOf("\n", position - 1) + 1, end: end < 0 ? text.length : end };
}
