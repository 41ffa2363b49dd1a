/** Both readers: what JSON.parse and the yaml library say of whole texts, and every fault of a broken one on its place. */

import { expect, test } from "vitest";
import { parse } from "yaml";
import { jsonText } from "../src/source/json-text";
import { readJson } from "../src/source/read-json";
import { hasComments, readYaml } from "../src/source/read-yaml";
import { quotedWhereNeeded, yamlText } from "../src/source/yaml-text";
import { jsonFiles } from "./shared";

const CORPUS = [...jsonFiles("data/taskcluster/payload-schemas"), ...jsonFiles("data/taskcluster/payloads")];

test("real documents are read as JSON.parse reads them, and written as YAML that says the same", () => {
  for (const [name, text] of CORPUS) {
    const source = readJson(text);
    expect(source.faults, name).toEqual([]);
    expect(JSON.parse(jsonText(source.root)), name).toEqual(JSON.parse(text));
    const yaml = yamlText(source.root);
    expect(parse(yaml), name).toEqual(JSON.parse(text));
    const again = readYaml(yaml);
    expect([again.faults, jsonText(again.root)], name).toEqual([[], jsonText(source.root)]);
  }
});

test("numbers keep their digits", () => {
  const json = '{"a":12345678901234567890.1234567890123,"b":9007199254740993,"c":-0.0,"d":1E400}';
  expect(jsonText(readJson(json).root)).toBe(json);
  // YAML 1.2.2 §10.3.2: the core schema.
  const yaml = "[9007199254740993, 0x1F, 0o17, +5, 007, .5, 5., 1.10, -1.5e3]";
  expect(jsonText(readYaml(yaml).root)).toBe("[9007199254740993,31,15,5,7,0.5,5,1.10,-1.5e3]");
});

test("what JSON cannot hold is a fault", () => {
  expect(readYaml("a: .inf").faults.map((fault) => [fault.from, fault.to])).toEqual([[3, 7]]);
  expect(readYaml("a: 1\n---\nb: 2").faults.map((fault) => fault.message)).toEqual(["only one document is expected, and a second begins here"]);
});

test("words of YAML 1.1 are strings", () => {
  expect(jsonText(readYaml("[NO, yes, on, 1:20, 2024-01-01, True]").root)).toBe('["NO","yes","on","1:20","2024-01-01",true]');
});

test("an alias stands for what it names; those that grow without bound do not", () => {
  expect(jsonText(readYaml("a: &x {b: 1}\nc: *x").root)).toBe('{"a":{"b":1},"c":{"b":1}}');
  const lines = ["a0: &a0 [1,1,1,1,1,1,1,1,1]"];
  for (let n = 1; n < 9; n += 1) lines.push(`a${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(",")}]`);
  expect(readYaml(lines.join("\n")).faults.map((fault) => fault.message)).toContain("the aliases come to too much");
});

/** Each broken text with the token that is marked, and what is understood of it. */
const BROKEN: [string, string, string][] = [
  ['{"a": 1,}', ",", '{"a":1}'],
  ['{"a": 1 "b": 2}', "1", '{"a":1,"b":2}'],
  ["{'a': 1}", "'a'", '{"a":1}'],
  ['{"a": }', "}", '{"a":null}'],
  ['{"a" 1}', '"a"', '{"a":1}'],
  ['{"a" "x"}', '"a"', '{"a":"x"}'],
  ['{"a"\n "b": 1}', '"a"', '{"a":null,"b":1}'],
  ['{"a": sh}', "sh", '{"a":"sh"}'],
  ['{"a": 01}', "01", '{"a":"01"}'],
  ['{"a": [1, 2}', "[", '{"a":[1,2]}'],
  ['{"a": {"b": 1', "{", '{"a":{"b":1}}'],
  ['{"a": "x\n}', '"x', '{"a":"x"}'],
  ['// c\n{"a": 1}', "// c", '{"a":1}'],
  ['{"a": 1} x', "x", '{"a":1}'],
  ['{"a": 1, "a": 2}', '"a"', '{"a":2}'],
  ['{"a": "\\q"}', "\\q", '{"a":"q"}'],
];

test.each(BROKEN)("%s: the fault stands on its token and the rest is understood", (text, token, understood) => {
  const { root, faults } = readJson(text);
  expect(faults.map(({ from, to }) => text.slice(from, to))).toContain(token);
  expect(jsonText(root)).toBe(understood);
});

test("a fix that would only move the fault is not offered", () => {
  for (const text of ['{"u": http://x.y/z}', "{\"a\": foo bar}", "{\"a\": 'it's'}"]) {
    for (const fault of readJson(text).faults.filter(({ fix }) => fix !== undefined)) {
      const insert = fault.fix?.insert ?? "";
      const left = readJson(text.slice(0, fault.from) + insert + text.slice(fault.to)).faults;
      expect(left.filter(({ from, to }) => from <= fault.from + insert.length && to >= fault.from), text).toEqual([]);
    }
  }
  const names = readJson('{"u": http://x.y/z}').faults.flatMap(({ fix }) => (fix === undefined ? [] : [fix.name]));
  expect(names).toEqual([]);
});

test("the words of other languages become JSON's", () => {
  const { root, faults } = readJson('{"a": True, "b": None, "c": "True"}');
  expect(faults.map(({ fix }) => fix)).toEqual([{ name: "Write true", insert: "true" }, { name: "Write null", insert: "null" }]);
  expect(jsonText(root)).toBe('{"a":true,"b":null,"c":"True"}');
});

/** Each broken text, and what its fixes make of it: JSON by RFC 8259, which JSON.parse reads. */
test.each([
  ["{'a': 'x, y'}", { a: "x, y" }],
  ["{'a': 'say \"x\" \\'y\\' \\n'}", { a: "say \"x\" 'y' \n" }],
  ["{a: 1, b-c: two}", { a: 1, "b-c": "two" }],
  ['{"a": [1, 2,], "b": {"c": 3,},}', { a: [1, 2], b: { c: 3 } }],
  ['{\n  "a": 1\n  "b": {"c": 2}\n  "d": [3 4]\n}', { a: 1, b: { c: 2 }, d: [3, 4] }],
  ['{"a" 1}', { a: 1 }],
  ['{"a": 1 /* why */} // end', { a: 1 }],
])("%s: every fault has its fix", (text, expected) => {
  let fixed = text;
  for (let round = 0; round < 10; round += 1) {
    const fault = readJson(fixed).faults.findLast(({ fix }) => fix !== undefined);
    if (fault?.fix === undefined) break;
    fixed = fixed.slice(0, fault.from) + fault.fix.insert + fixed.slice(fault.to);
  }
  expect(readJson(fixed).faults).toEqual([]);
  expect(JSON.parse(fixed)).toEqual(expected);
});

test.each([
  ['{\n  ""\n  "b": 1\n}', 6],
  ['{\n  "a": 1\n  "b": 2\n}', 10],
  ['{\n  "a": "x"   // why\n  "b": 2\n}', 12],
  ['[\n  [1]  \n  2\n]', 7],
  ['{\n  "a" // why\n  "b": 2\n}', 7],
])("%j: a missing comma is marked at the end of what it is missing after", (text, end) => {
  const missing = readJson(text).faults.filter((fault) => /comma is missing/.test(fault.message));
  expect(missing.map(({ from, to }) => [from, to])).toEqual([[end - 1, end]]);
});

test("a reader ends whatever it is given", () => {
  const pieces = ['{', '}', '[', ']', ':', ',', '"a"', '"', "1", "x", "\n", "\\", "#", "'", " "];
  let seed = 7;
  const next = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648);
  for (let round = 0; round < 3000; round += 1) {
    const text = Array.from({ length: next() % 14 }, () => pieces[next() % pieces.length]).join("");
    for (const read of [readJson, readYaml]) {
      const { root, faults } = read(text);
      expect(() => JSON.parse(jsonText(root)) as unknown, text).not.toThrow();
      for (const { from, to } of faults) expect(from <= to && to <= text.length, `${JSON.stringify(text)} ${from} ${to}`).toBe(true);
    }
    if (readJson(text).faults.length === 0) expect(() => JSON.parse(text) as unknown, text).not.toThrow();
  }
});

test("comments are told from signs in texts", () => {
  expect(hasComments("a: 1 # why")).toBe(true);
  expect(hasComments("# why\na: 1")).toBe(true);
  expect(hasComments('a: |\n  # Heading\nb: "x # y"\nc: x#y')).toBe(false);
});

test("strings are quoted where YAML would read something else", () => {
  for (const text of ["", "true", "No", "1.0", "-", "a: b", "a #b", "x:", " x", "{a}", "*a", "&a", "null", "~", "a\nb", "@x", "`x`", "0x1", "\u2028", "it's, fine", "[x", "a]b"]) {
    for (const flow of [false, true]) {
      const written = quotedWhereNeeded(text, flow);
      expect(parse(flow ? `[${written}]` : `k: ${written}`), text).toEqual(flow ? [text] : { k: text });
      expect(parse(flow ? `[${written}]` : `k: ${written}`, { version: "1.1" }), text).toEqual(flow ? [text] : { k: text });
    }
  }
});
