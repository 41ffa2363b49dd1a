/**
 * Reads JSON as people type it: says every fault of syntax on its place and understands the rest.
 *
 * Stricter than a YAML reader, for which most JSON is YAML but not the other way round: a comma too many or a name
 * without quotes is a fault here (RFC 8259).
 */

import type { Fix, Mapping, Node, Pair, Scalar, Sequence, Source, SyntaxFault } from "./tree";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
const WORDS: Readonly<Record<string, Scalar["type"]>> = { true: "boolean", false: "boolean", null: "null" };
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t",
};
/** The service takes as many levels. */
const DEEPEST = 120;

/** Words of other languages, and what JSON has for them. */
const FOREIGN: Readonly<Record<string, "true" | "false" | "null">> = {
  True: "true", TRUE: "true", False: "false", FALSE: "false", None: "null", NULL: "null", undefined: "null", nil: "null",
};
/** So many fixes are tried out, each by reading the text again. */
const TRIED = 20;

export function readJson(text: string): Source {
  const { root, faults } = new Reader(text).source();
  let tried = 0;
  const sound = ({ fix, ...fault }: SyntaxFault): SyntaxFault => {
    if (fix === undefined || tried >= TRIED) return fault;
    tried += 1;
    return mends(text, fault, fix.insert) ? { ...fault, fix } : fault;
  };
  return { root, faults: faults.map(sound) };
}

/** Whether nothing is wrong any more at this place: a fix that only moves the fault would lose what its author meant. */
function mends(text: string, { from, to }: SyntaxFault, insert: string): boolean {
  const { faults } = new Reader(text.slice(0, from) + insert + text.slice(to)).source();
  return !faults.some((fault) => fault.from <= from + insert.length && fault.to >= from);
}

class Reader {
  private at = 0;
  private depth = 0;
  /** How many brackets are open, so that a `]` inside braces closes what it can close. */
  private brackets = 0;
  private braces = 0;
  private readonly faults: SyntaxFault[] = [];

  constructor(private readonly text: string) {}

  source(): Source {
    this.skip();
    if (this.at >= this.text.length) return { root: null, faults: [{ from: 0, to: 0, message: "the text is empty" }] };
    const root = this.value();
    this.skip();
    if (this.at < this.text.length) {
      this.fault(this.at, this.text.length, "nothing may follow the end of the document");
    }
    return { root, faults: this.faults };
  }

  private fault(from: number, to: number, message: string, fix?: Fix): void {
    this.faults.push({ from, to: Math.max(to, from), message, ...(fix === undefined ? {} : { fix }) });
  }

  /** What is missing behind a part of the text. */
  private missingAfter(from: number, to: number, message: string, sign: string, name: string): void {
    this.fault(from, to, message, { name: `Add the ${name}`, insert: this.text.slice(from, to) + sign });
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  /** White space, and the comments that JSON does not have. */
  private skip(): void {
    for (;;) {
      const gap = /[\s\ufeff]*/y;
      gap.lastIndex = this.at;
      gap.exec(this.text);
      this.at = gap.lastIndex;
      const comment = /\/\/[^\n]*|\/\*[^]*?(\*\/|$)|#[^\n]*/y;
      comment.lastIndex = this.at;
      const found = comment.exec(this.text);
      if (found === null) return;
      this.fault(this.at, this.at + found[0].length, "JSON has no comments", { name: "Remove the comment", insert: "" });
      this.at += found[0].length;
    }
  }

  private value(): Node | null {
    for (;;) {
      this.skip();
      const first = this.peek();
      if (first === "" || first === "," || first === "}" || first === "]") return this.missing();
      if (first === "{" || first === "[") return this.collection(first);
      if (first === '"') return this.string();
      const apostrophes = this.apostrophes("a string");
      if (apostrophes !== null) return apostrophes;
      const word = this.word();
      if (word !== null) return word;
      this.fault(this.at, this.at + 1, `${JSON.stringify(first)} begins no value`);
      this.at += 1;
    }
  }

  private missing(): null {
    this.fault(this.at, Math.min(this.at + 1, this.text.length), "a value is missing here");
    return null;
  }

  private collection(first: "{" | "["): Node {
    const from = this.at;
    if (this.depth >= DEEPEST) {
      this.fault(from, from + 1, `more than ${DEEPEST} levels`);
      this.at = this.text.length;
      return { kind: "scalar", type: "null", json: "null", text: "null", plain: true, from, to: from + 1 };
    }
    this.depth += 1;
    this.at += 1;
    const node = first === "{" ? this.mapping(from) : this.sequence(from);
    this.depth -= 1;
    return node;
  }

  private mapping(from: number): Mapping {
    this.braces += 1;
    const pairs: Pair[] = [];
    let closed = false;
    let comma: number | null = null;
    for (;;) {
      this.skip();
      const next = this.peek();
      if (next === "") break;
      if (next === "]" && this.brackets > 0) break;
      if (next === "}") {
        if (comma !== null) this.needless(comma);
        this.at += 1;
        closed = true;
        break;
      }
      if (next === ",") {
        this.fault(this.at, this.at + 1, "a name is missing before this comma");
        this.at += 1;
        continue;
      }
      const pair = this.pair();
      if (pair === null) continue;
      const again = pairs.some((other) => other.key === pair.key);
      if (again) this.fault(pair.keyRange.from, pair.keyRange.to, `${JSON.stringify(pair.key)} stands here twice`);
      pairs.push(pair);
      comma = this.separator("}");
    }
    this.braces -= 1;
    if (!closed) this.fault(from, from + 1, "this { is never closed");
    return { kind: "mapping", pairs, flow: true, from, to: this.at };
  }

  private pair(): Pair | null {
    const from = this.at;
    let key: string;
    const apostrophes = this.apostrophes("a name");
    if (apostrophes !== null) {
      key = apostrophes.text;
    } else if (this.peek() === '"') {
      key = this.string().text;
    } else {
      const word = /[^\s,:{}[\]"]+/y;
      word.lastIndex = from;
      const found = word.exec(this.text);
      if (found === null) {
        this.fault(from, from + 1, `${JSON.stringify(this.peek())} begins no name`);
        this.at += 1;
        return null;
      }
      key = found[0].replace(/^'|'$/g, "");
      this.at += found[0].length;
      this.bare(from, `a name stands in double quotes: ${JSON.stringify(key)}`, JSON.stringify(key));
    }
    const keyRange = { from, to: this.at };
    const told = this.faults.length;
    this.skip();
    if (this.peek() === ":") {
      this.at += 1;
      return { key, keyRange, value: this.value() };
    }
    // A value on the same line, and no name of its own: only the colon was forgotten.
    const value = /[ \t]*([^\s"}\],:/#]|"(\\.|[^"\\\n])*"\s*[^\s:])/y;
    value.lastIndex = keyRange.to;
    if (value.test(this.text)) {
      this.missingAfter(keyRange.from, keyRange.to, `a colon is missing after ${JSON.stringify(key)}`, ":", "colon");
      return { key, keyRange, value: this.value() };
    }
    // The comma that may be missing too is told of the key, and not of what stands behind it: that is read again.
    this.faults.splice(told);
    this.at = keyRange.to;
    this.fault(keyRange.from, keyRange.to, `a colon and a value are missing after ${JSON.stringify(key)}`);
    return { key, keyRange, value: null };
  }

  private sequence(from: number): Sequence {
    this.brackets += 1;
    const items: (Node | null)[] = [];
    let closed = false;
    let comma: number | null = null;
    for (;;) {
      this.skip();
      const next = this.peek();
      if (next === "") break;
      if (next === "}" && this.braces > 0) break;
      if (next === "]") {
        if (comma !== null) this.needless(comma);
        this.at += 1;
        closed = true;
        break;
      }
      if (next === "}" || next === ":") {
        this.fault(this.at, this.at + 1, `${JSON.stringify(next)} does not belong here`);
        this.at += 1;
        continue;
      }
      items.push(this.value());
      comma = this.separator("]");
    }
    this.brackets -= 1;
    if (!closed) this.fault(from, from + 1, "this [ is never closed");
    return { kind: "sequence", items, flow: true, from, to: this.at };
  }

  /** What stands between two members: the place of the comma; none where no comma stands there. */
  private separator(end: "}" | "]"): number | null {
    const before = this.at;
    this.skip();
    if (this.peek() === ",") {
      this.at += 1;
      return this.at - 1;
    }
    if (!["", "}", "]"].includes(this.peek()) && this.peek() !== end) {
      this.missingAfter(Math.max(before - 1, 0), before, "a comma is missing after this", ",", "comma");
    }
    return null;
  }

  private needless(comma: number): void {
    this.fault(comma, comma + 1, "nothing follows this comma", { name: "Remove the comma", insert: "" });
  }

  private bare(from: number, message: string, quoted: string): void {
    this.fault(from, this.at, message, { name: "Put it in double quotes", insert: quoted });
  }

  /** A string in single quotes, as other languages have it; none where they are not closed on their line. */
  private apostrophes(what: string): Scalar | null {
    const pattern = /'((?:\\.|[^'\\\n])*)'/y;
    pattern.lastIndex = this.at;
    const inner = pattern.exec(this.text)?.[1];
    if (inner === undefined) return null;
    const from = this.at;
    this.at = pattern.lastIndex;
    const written = inner.replace(/\\.|"/g, (part) => (part === '"' ? '\\"' : part === "\\'" ? "'" : part));
    const text = unescaped(written) ?? inner;
    const json = JSON.stringify(text);
    this.bare(from, `${what} stands in double quotes: ${json}`, json);
    return { kind: "scalar", type: "string", json, text, plain: false, from, to: this.at };
  }

  private string(): Scalar {
    const from = this.at;
    let value = "";
    this.at += 1;
    for (;;) {
      const next = this.peek();
      if (next === "" || next === "\n") {
        this.fault(from, this.at, "this string is never closed");
        break;
      }
      this.at += 1;
      if (next === '"') break;
      if (next === "\\") value += this.escape();
      else if (next < " ") this.fault(this.at - 1, this.at, "a control character must be written as \\u and four digits");
      else value += next;
    }
    return { kind: "scalar", type: "string", json: JSON.stringify(value), text: value, plain: false, from, to: this.at };
  }

  private escape(): string {
    const letter = this.peek();
    const simple = ESCAPES[letter];
    if (simple !== undefined) {
      this.at += 1;
      return simple;
    }
    const digits = /^u([0-9a-fA-F]{4})/.exec(this.text.slice(this.at, this.at + 5));
    if (digits?.[1] !== undefined) {
      this.at += 5;
      return String.fromCharCode(parseInt(digits[1], 16));
    }
    this.fault(this.at - 1, Math.min(this.at + 1, this.text.length), `JSON has no \\${letter}; a backslash is written \\\\`);
    return "";
  }

  private word(): Scalar | null {
    const pattern = /[^\s,:{}[\]"]+/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    const from = this.at;
    this.at += found.length;
    const range = { from, to: this.at, plain: true } as const;
    const type = Object.hasOwn(WORDS, found) ? WORDS[found] : NUMBER.test(found) ? "number" : undefined;
    if (type !== undefined) return { kind: "scalar", type, json: found, text: found, ...range };
    const foreign = Object.hasOwn(FOREIGN, found) ? FOREIGN[found] : undefined;
    if (foreign !== undefined) {
      this.fault(from, this.at, `${found} is written ${foreign} in JSON`, { name: `Write ${foreign}`, insert: foreign });
      return { kind: "scalar", type: WORDS[foreign] ?? "null", json: foreign, text: foreign, ...range };
    }
    const bare = found.replace(/^'|'$/g, "");
    const numeric = /^[-+.\d]/.test(found);
    if (numeric) this.fault(from, this.at, `${found} is no JSON number`);
    else this.bare(from, `a string stands in double quotes: ${JSON.stringify(bare)}`, JSON.stringify(bare));
    return { kind: "scalar", type: "string", json: JSON.stringify(bare), text: bare, ...range };
  }
}

/** What stands between double quotes, read; none where it is no JSON string. */
function unescaped(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}
