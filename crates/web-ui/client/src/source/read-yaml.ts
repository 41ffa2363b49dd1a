/** Reads YAML 1.2 (core schema), leniently, with the place of every token. Aliases stand for what they name. */

import { type Document, type ParsedNode, isAlias, isMap, isScalar, isSeq, parseAllDocuments, parseDocument, visit } from "yaml";
import { yamlFaults } from "./yaml-faults";
import type { Mapping, Node, Pair, Range, Scalar, Sequence, Source, SyntaxFault } from "./tree";

/** The service takes as many levels. */
const DEEPEST = 120;
/** Nodes that aliases may come to. */
const LARGEST = 200_000;

export function readYaml(text: string): Source {
  const documents = parseAllDocuments(text, {
    intAsBigInt: true,
    keepSourceTokens: false,
    logLevel: "silent",
    prettyErrors: false,
    version: "1.2",
  });
  if (!Array.isArray(documents) || documents.length === 0) {
    return { root: null, faults: [{ from: 0, to: 0, message: "the text is empty" }] };
  }
  const [document, second] = documents;
  if (document === undefined) return { root: null, faults: [] };
  const faults = yamlFaults(document.errors, text);
  if (second !== undefined) {
    const from = second.range?.[0] ?? text.length;
    faults.push({ from, to: text.length, message: "only one document is expected, and a second begins here" });
  }
  return { root: new Builder(document, text, faults).node(document.contents, 0), faults };
}

/** Whether there are comments, which JSON cannot hold. */
export function hasComments(text: string): boolean {
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  let found = Boolean(document.comment ?? document.commentBefore);
  visit(document, (_, node) => {
    const { comment, commentBefore } = node as { comment?: string | null; commentBefore?: string | null };
    found ||= Boolean(comment ?? commentBefore);
    return found ? visit.BREAK : undefined;
  });
  return found;
}

class Builder {
  private count = 0;

  constructor(
    private readonly document: Document.Parsed<ParsedNode>,
    private readonly text: string,
    private readonly faults: SyntaxFault[],
  ) {}

  node(node: unknown, depth: number): Node | null {
    if (node === null || node === undefined) return null;
    this.count += 1;
    const range = this.range(node);
    if (depth > DEEPEST || this.count > LARGEST) {
      if (this.count <= LARGEST + 1 || depth === DEEPEST + 1) {
        this.faults.push({ ...range, message: depth > DEEPEST ? `more than ${DEEPEST} levels` : "the aliases come to too much" });
        this.count = LARGEST + 2;
      }
      return nothing(range);
    }
    if (isAlias(node)) {
      const target = node.resolve(this.document);
      if (target === undefined) this.faults.push({ ...range, message: `no &${node.source} stands before this: put it in quotes if it is meant as text` });
      return this.alias(target, range, depth);
    }
    if (isMap(node)) {
      const pairs = node.items.flatMap((pair) => this.pair(pair.key, pair.value, depth));
      return { kind: "mapping", pairs, flow: node.flow === true, ...range } satisfies Mapping;
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.node(item, depth + 1));
      return { kind: "sequence", items, flow: node.flow === true, ...range } satisfies Sequence;
    }
    return isScalar(node) ? this.scalar(node, range) : null;
  }

  /** What an alias names, at the place of the alias. */
  private alias(target: unknown, range: Range, depth: number): Node {
    const node = this.node(target, depth + 1);
    return node === null ? nothing(range) : { ...node, ...range };
  }

  private pair(key: unknown, value: unknown, depth: number): Pair[] {
    if (isScalar(key) || isAlias(key)) {
      const named = this.node(key, depth + 1);
      if (named?.kind !== "scalar") return [];
      return [{ key: named.text, keyRange: this.range(key), value: this.node(value, depth + 1) }];
    }
    if (key !== null && key !== undefined) {
      this.faults.push({ ...this.range(key), message: "a key must be a string" });
    }
    return [];
  }

  private scalar(node: { value: unknown; source?: string; type?: string }, range: Range): Scalar | null {
    const plain = node.type === "PLAIN";
    const { value, source = "" } = node;
    // Nothing stands there: after a colon, YAML reads it as null.
    if (value === null) return { ...nothing(range), plain: true };
    if (typeof value === "boolean") return { kind: "scalar", type: "boolean", json: String(value), text: String(value), plain, ...range };
    if (typeof value === "bigint") return { kind: "scalar", type: "number", json: value.toString(), text: source, plain, ...range };
    if (typeof value === "number") {
      const json = exact(source, value);
      if (json === null) {
        this.faults.push({ ...range, message: `JSON has no ${source}; a task cannot hold it` });
        return nothing(range);
      }
      return { kind: "scalar", type: "number", json, text: source, plain, ...range };
    }
    const text = String(value);
    return { kind: "scalar", type: "string", json: JSON.stringify(text), text, plain, ...range };
  }

  private range(node: unknown): Range {
    const range = (node as { range?: [number, number, number] | null }).range;
    if (range === null || range === undefined) return { from: 0, to: 0 };
    // A block ends with its last character, not with the empty lines behind it.
    let to = Math.min(range[1], this.text.length);
    while (to > range[0] && /\s/.test(this.text[to - 1] ?? "")) to -= 1;
    return { from: range[0], to };
  }
}

function nothing(range: Range): Scalar {
  return { kind: "scalar", type: "null", json: "null", text: "null", plain: true, ...range };
}

/** A number of YAML's core schema in the digits of JSON; none where JSON has no such number. */
function exact(source: string, value: number): string | null {
  if (!Number.isFinite(value) && !/^[-+]?[\d.]+([eE][-+]?\d+)?$/.test(source)) return null;
  const parts = /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source);
  if (parts === null) return JSON.stringify(value);
  const [, sign = "", whole = "", fraction = "", exponent = ""] = parts;
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return `${sign === "-" ? "-" : ""}${digits}${fraction === "" ? "" : `.${fraction}`}${exponent}`;
}
