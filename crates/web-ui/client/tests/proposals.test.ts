/** Completion: what is offered where, and what is written when it is taken. */

import { expect, test } from "vitest";
import { cursorsAt } from "../src/source/cursor";
import { jsonText } from "../src/source/json-text";
import { read } from "../src/source/read";
import type { Language } from "../src/source/tree";
import { type Proposal, proposals } from "../src/schema/proposals";
import type { Schema } from "../src/schema/schema";
import { SchemaWalk } from "../src/schema/schema-at";
import { jsonFiles } from "./shared";
import { plainText } from "./snippet-text";

const SCHEMA: Schema = {
  type: "object",
  required: ["image"],
  properties: {
    image: { oneOf: [{ type: "string" }, { $ref: "#/$defs/indexed" }, { $ref: "#/$defs/built" }] },
    priority: { enum: ["low", "high"], default: "low" },
    debug: { type: "boolean" },
    mounts: { type: "array", items: { type: "object", required: ["name", "at"], properties: { name: { type: "string" }, at: { type: "object", required: ["path"], properties: { path: { type: "string" } } } } } },
    tree: { $ref: "#/$defs/tree" },
    mode: { type: "string" },
    free: { patternProperties: { "^x-": { enum: ["p"] } }, additionalProperties: { const: "q" } },
    pair: { prefixItems: [{ const: "one" }, { const: "two" }] },
  },
  if: { properties: { mode: { const: "fast" } }, required: ["mode"] },
  then: { properties: { lanes: { type: "integer" } } },
  else: { properties: { patience: { type: "integer" } } },
  dependentSchemas: { debug: { properties: { verbosity: { enum: [1, 2] } } } },
  $defs: {
    indexed: { type: "object", required: ["type", "namespace"], properties: { type: { const: "indexed" }, namespace: { type: "string" } }, additionalProperties: false },
    built: { type: "object", required: ["type", "taskId"], properties: { type: { const: "built" }, taskId: { type: "string" }, path: { type: "string" } }, additionalProperties: false },
    tree: { type: "object", properties: { leaf: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/tree" } } } },
  },
};

/** Whatever is offered at the `|`. */
function offered(marked: string, language: Language, schema: Schema = SCHEMA): Proposal[] {
  const at = marked.indexOf("|");
  const walk = new SchemaWalk(schema);
  return cursorsAt(marked.replace("|", ""), at, language).flatMap((cursor) => proposals(walk, cursor, language));
}

const labels = (marked: string, language: Language): string[] => offered(marked, language).map((proposal) => proposal.label);

const PLACES: [string, Language, string, string[], string[]][] = [
  ["an empty key", "json", '{"|": 1}', ["image", "priority"], []],
  ["a key without quotes or colon", "json", '{"priority": "low", im|}', ["image"], ["priority"]],
  ["an unclosed document", "json", '{"image": {"|', ["type", "namespace", "taskId"], ["image"]],
  ["the oneOf branch that a constant tells", "json", '{"image": {"type": "built", "|"}}', ["taskId", "path"], ["namespace", "type"]],
  ["the oneOf branch that a name tells", "json", '{"image": {"namespace": "x", "|"}}', ["type"], ["taskId"]],
  ["every discriminator of an empty value", "json", '{"image": {"type": "|"}}', ["indexed", "built"], []],
  ["an enum with its default first", "json", '{"priority": |}', ["low", "high"], []],
  ["truth values", "json", '{"debug": |}', ["true", "false"], []],
  ["recursion", "json", '{"tree": {"children": [{"children": [{"|"}]}]}}', ["leaf", "children"], ["image"]],
  ["then", "json", '{"mode": "fast", "|"}', ["lanes"], ["patience"]],
  ["else", "json", '{"|"}', ["patience"], ["lanes"]],
  ["what depends on a property", "json", '{"debug": true, "verbosity": |}', ["1", "2"], []],
  ["patternProperties", "json", '{"free": {"x-a": "|"}}', ["p"], ["q"]],
  ["additionalProperties", "json", '{"free": {"other": "|"}}', ["q"], ["p"]],
  ["prefixItems", "json", '{"pair": ["one", "|"]}', ["two"], ["one"]],
  ["an empty line", "yaml", "priority: low\n|", ["image", "debug"], ["priority"]],
  ["an empty line deeper", "yaml", "image:\n  type: built\n  |", ["taskId", "path"], ["namespace"]],
  ["the first line of an empty mapping", "yaml", "image:\n  |\npriority: low", ["type", "namespace"], []],
  ["a value behind a colon", "yaml", "priority: |", ["low", "high"], ["image"]],
  ["half a word", "yaml", "priority: hi|", ["high"], []],
  ["half a key", "yaml", "priority: low\nima|", ["image"], []],
  ["a key that has a value already", "yaml", "ima|: x", ["image"], []],
  ["a flow mapping", "yaml", "image: {type: built, |}", ["taskId"], ["namespace"]],
  ["an unclosed flow mapping", "yaml", "image: {type: built, |", ["taskId"], []],
  ["a new item", "yaml", "mounts:\n  - |", ["name", "at"], ["image"]],
  ["the second key of an item", "yaml", "mounts:\n  - name: x\n    |", ["at"], ["name"]],
  ["a quoted value", "yaml", 'priority: "|"', ["low"], []],
];

test.each(PLACES)("%s (%s): %s", (_, language, text, included, excluded) => {
  const found = labels(text, language);
  expect(found).toEqual(expect.arrayContaining(included));
  for (const label of excluded) expect(found).not.toContain(label);
});

test("nothing is offered in a comment, in a word that is no place for a key, and on a dash", () => {
  for (const text of ["# im|", "priority: low # |", "mounts:\n  -|"]) expect(labels(text, "yaml"), text).toEqual([]);
});

test("required keys come first, then the others in the schema's own order", () => {
  const schema: Schema = {
    required: ["zone", "area"],
    properties: { image: {}, zone: {}, command: {}, area: {}, beta: {} },
    allOf: [{ properties: { alpha: {} } }],
  };
  const ranked = offered('{"|"}', "json", schema).sort((a, b) => b.rank - a.rank || a.label.localeCompare(b.label));
  expect(ranked.map((one) => one.label)).toEqual(["zone", "area", "image", "command", "beta", "alpha"]);
});

test("a key brings the required keys of its value", () => {
  const take = (marked: string, language: Language, label: string): string => {
    const proposal = offered(marked, language).find((one) => one.label === label);
    const [cursor] = cursorsAt(marked.replace("|", ""), marked.indexOf("|"), language);
    if (proposal === undefined || cursor === undefined) throw new Error(`${label} is not offered`);
    const { from, to } = cursor.word.outer;
    const text = marked.replace("|", "");
    return text.slice(0, from) + plainText(proposal.snippet) + text.slice(to);
  };
  expect(jsonText(read(take('{"|"}', "json", "mounts"), "json").root)).toBe('{"mounts":[{"name":"","at":{"path":""}}]}');
  expect(jsonText(read(take("|", "yaml", "mounts"), "yaml").root)).toBe('{"mounts":[{"name":null,"at":{"path":null}}]}');
  expect(jsonText(read(take("{|}", "yaml", "mounts"), "yaml").root)).toBe('{"mounts":[{"name":null,"at":{"path":null}}]}');
  expect(take('{"image": {"|": 1}}', "json", "type")).toBe('{"image": {"type": 1}}');
});

const REAL = jsonFiles("data/taskcluster/payload-schemas");

test.each(REAL)("%s: the top-level keys are offered in both languages", (_, text) => {
  const schema = JSON.parse(text) as { properties?: Record<string, unknown>; items?: unknown; oneOf?: unknown };
  const names = Object.keys(schema.properties ?? {});
  const walk = new SchemaWalk(schema as Schema);
  const found = (marked: string, language: Language): string[] =>
    cursorsAt(marked.replace("|", ""), marked.indexOf("|"), language).flatMap((cursor) => proposals(walk, cursor, language)).map((one) => one.label);
  expect(found('{"|"}', "json")).toEqual(expect.arrayContaining(names));
  expect(found("|", "yaml")).toEqual(expect.arrayContaining(names));
});

test("of two ways to name a thing, the one that is begun is asked for", () => {
  const schema: Schema = { anyOf: [{ required: ["whole"] }, { required: ["first", "second"] }], properties: { whole: {}, first: {}, second: {} } };
  const required = (marked: string): string[] => offered(marked, "json", schema).filter((one) => one.detail.startsWith("required")).map((one) => one.label);
  expect(required('{"whole": "a/b", "|"}')).toEqual([]);
  expect(required('{"first": "a", "|"}')).toEqual(["second"]);
  expect(required('{"|"}')).toEqual(["whole", "first", "second"]);
});

test("a constant tells the branch, whatever else is wrong in it", () => {
  const branch = (name: string, inner: Schema): Schema => ({ properties: { queue: { const: name }, payload: inner } });
  const schema: Schema = {
    oneOf: [branch("a", { properties: { n: { type: "integer" }, m: {} } }), { not: { properties: { queue: { enum: ["a"] } }, required: ["queue"] } }],
  };
  expect(offered('{"queue": "a", "payload": {"n": "x", "|"}}', "json", schema).map((one) => one.label)).toEqual(["m"]);
  expect(offered('{"queue": "b", "payload": {"|"}}', "json", schema)).toEqual([]);
});
