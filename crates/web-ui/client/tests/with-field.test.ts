/** A field is added or replaced, the rest stays byte for byte; the yaml library and JSON.parse read what comes of it. */

import { expect, test } from "vitest";
import { parse } from "yaml";
import { withField, withNode } from "../src/definition/with-field";
import { read } from "../src/source/read";
import { readJson } from "../src/source/read-json";
import type { Language } from "../src/source/tree";

const POOL = { minCapacity: 0, regions: ["a", "b"] };
const DOCUMENTATION = "# A: b\n\nText\n";
const parsed = (text: string, language: Language) => (language === "json" ? JSON.parse(text) : parse(text)) as Record<string, unknown>;

function added(text: string, language: Language): string {
  const pool = readJson(JSON.stringify(POOL)).root;
  if (pool === null) throw new Error("the pool is not read");
  return withNode(text, read(text, language).root, "pool", pool, language) ?? "";
}

test.each<[string, string, Language]>([
  ["comments", "# first\na: 1 # one\nb: &x {c: 2} # two\nd: *x\n# last\n", "yaml"],
  ["the end of a document", "---\na: 1\n...\n# behind it\n", "yaml"],
  ["no line break at the end", "a: 'x'", "yaml"],
  ["empty lines that are a text's", "a: |+\n  x\n\n\n", "yaml"],
  ["deeper keys", "  a: 1\n  b:\n    - 2\n", "yaml"],
  ["nothing behind the last key", "a: 1\nb:\n", "yaml"],
  ["braces", "{a: 1, # one\n b: 2} # two\n", "yaml"],
  ["lines in braces", "{\n  a: 1,\n  b: [2], # two\n}\n", "yaml"],
  ["only a comment", "# nothing yet\n", "yaml"],
  ["JSON", '{\n    "a": 12345678901234567890,   "b": "\\u0041"\n}\n', "json"],
  ["JSON on one line", '{"a":1.0}', "json"],
  ["an empty object", "{ }", "json"],
])("%s: the source stays as it is around what is added", (_, text, language) => {
  const after = added(text, language);
  let start = 0;
  while (start < text.length && text[start] === after[start]) start += 1;
  expect(after.endsWith(text.slice(start)), after).toBe(true);
  expect(parsed(after, language)).toEqual({ ...(parsed(text, language) as object | null), pool: POOL });
  expect(read(after, language).faults).toEqual([]);
});

test.each<[string, Language, string]>([
  ["# c\na: 1\ndocumentation: x # why\nb: 2 # two\n", "yaml", "# c\na: 1\ndocumentation: | # why\n  # A: b\n\n  Text\nb: 2 # two\n"],
  ["documentation: |- # why\n  x\n\n# two\nb: &b 2\n", "yaml", "documentation: | # why\n  # A: b\n\n  Text\n\n# two\nb: &b 2\n"],
  ["documentation:\nb: 2\n", "yaml", "documentation: |\n  # A: b\n\n  Text\nb: 2\n"],
  ["documentation: 'x'", "yaml", "documentation: |\n  # A: b\n\n  Text\n"],
  ["{documentation: x, b: 2} # two\n", "yaml", '{documentation: "# A: b\\n\\nText\\n", b: 2} # two\n'],
  ['{"b": 1.0,\n "documentation": "x" }', "json", '{"b": 1.0,\n "documentation": "# A: b\\n\\nText\\n" }'],
])("%j: one value is replaced", (text, language, expected) => {
  const after = withField(text, read(text, language).root, "documentation", DOCUMENTATION, language);
  expect(after).toBe(expected);
  expect(parsed(expected, language)).toEqual({ ...parsed(text, language), documentation: DOCUMENTATION });
});

test("what has no fields is left alone", () => {
  for (const text of ["- a\n", "just words\n"]) expect(withField(text, read(text, "yaml").root, "a", "b", "yaml")).toBeNull();
});
