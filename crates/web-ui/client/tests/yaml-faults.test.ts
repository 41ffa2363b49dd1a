/** What is said of texts that are no YAML (1.2.2), on which token. */

import { expect, test } from "vitest";
import { parse, parseDocument } from "yaml";
import { readYaml } from "../src/source/read-yaml";

const FAULTS: [string, string, RegExp][] = [
  ["a:\n\tb: 1\n", "\t", /with spaces, not with tabs/],
  ["a:\n  b: 1\n\tc: 2\n", "\t", /with spaces, not with tabs/],
  ['a: "x\nb: 1\n', '"x', /this " is never closed/],
  ["ok: 'it''s'\na: 'x\nb: 1\n", "'x", /this ' is never closed/],
  ["a: [1, [2], 3\nb: 1\n", "[", /this \[ is never closed: write \]/],
  ["a: {b: 1", "{", /this { is never closed: write }/],
  ["a: ]\n", "]", /closes nothing/],
  ["a:\n    b: 1\n  c: 2\n", "c: 2", /indented otherwise/],
  ["a:\n  - x\n - y\n", "- y", /indented otherwise/],
  ["a: 1\n  b: 2\n", "1", /has a value already, and the line below is deeper/],
  [" a: 1\nb: 2\n", "b: 2", /indent it like those lines/],
  ["a: 1\na: 2\n", "a", /stands here twice/],
  ["a: 1\nb\nc: 2\n", "b", /colon is missing/],
  ["a 1\nb: 2\n", "a 1", /colon is missing/],
  ["b: 2\na:1\n", "a:1", /space is missing after the colon/],
  ["a: b: c\n", "b: c", /two colons/],
  ["a: @x\n", "@", /in quotes/],
  ['a: "\\q"\n', "\\q", /write \\\\ for a backslash/],
  ['a: "x" y\n', "y", /nothing may follow here/],
  ['a: ["x" "y"]\n', '"', /comma is missing/],
  ["a: 1\n- b\n", "-", /a list begins among keys/],
  ["a: - b\n", "-", /on the line below its key/],
  ['a: "x"#c\n', "#c", /space is missing before this #/],
  ["a: *nope\n", "*nope", /no &nope stands before this/],
];

test.each(FAULTS)("%j: on %j", (text, token, words) => {
  const [first, ...others] = readYaml(text).faults;
  if (first === undefined) throw new Error("no fault is found");
  expect(text.slice(first.from, first.to)).toBe(token);
  expect(first.message).toMatch(words);
  // The library's own words are for those who write parsers.
  const raw = parseDocument(text, { prettyErrors: false }).errors.map(({ message }) => message);
  for (const { message } of [first, ...others]) expect(raw).not.toContain(message);
});

test("what only follows from a fault is not told beside it", () => {
  // The library has three errors for each.
  for (const text of ["a: 1\n- b\n", "a:\n  - x\n - y\n", " a: 1\nb: 2\n"]) {
    const about = readYaml(text).faults.filter(({ message }) => !/key must be a string/.test(message));
    expect(about, text).toHaveLength(1);
  }
});

// What YAML says of the text with two spaces in the place of each tab, by the library.
test.each([
  ["payload:\n\tenv:\n\t\tA: 1\n", { payload: { env: { A: 1 } } }],
  ["a:\n\tb:\n\t\t- x\n\t\t- y\n\tc: |\n\t\tz\n", { a: { b: ["x", "y"], c: "z\n" } }],
  ["a:\n  b: 1\n\tc: 2\n", { a: { b: 1, c: 2 } }],
  ["a:\n  b:\n  \tc: 1\n", { a: { b: { c: 1 } } }],
  ["a:\n\tb: 1\nmake: |\n  all:\n  \tcc\n", { a: { b: 1 }, make: "all:\n\tcc\n" }],
])("%j: one fix puts spaces for the tabs of the whole text", (text, expected) => {
  const mend = readYaml(text).faults.find((fault) => fault.mend !== undefined)?.mend;
  let fixed = text;
  for (const { from, to, insert } of mend?.changes(text).reverse() ?? []) fixed = fixed.slice(0, from) + insert + fixed.slice(to);
  expect(readYaml(fixed).faults).toEqual([]);
  expect(parse(fixed)).toEqual(expected);
});

test("of very many faults, as many are told as are marked", () => {
  expect(readYaml(`a:\n${"\tb: 1\n".repeat(2000)}`).faults.length).toBeLessThanOrEqual(201);
});
