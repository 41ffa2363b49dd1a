/** What is completed in YAML: blocks where a block is written, braces inside braces, and read back as what it should say. */

import { snippet } from "@codemirror/autocomplete";
import { EditorState, type Transaction } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { proposals } from "../src/schema/proposals";
import type { Schema } from "../src/schema/schema";
import { SchemaWalk } from "../src/schema/schema-at";
import { cursorsAt } from "../src/source/cursor";

const SCHEMA: Schema = {
  type: "object",
  properties: {
    env: { type: "object", additionalProperties: { type: "string" } },
    command: { type: "array", items: { type: "string" }, examples: [["make", "test"]] },
    features: { type: "object", default: {} },
    mounts: { type: "array", items: { $ref: "#/$defs/mount" } },
    image: { type: "object", required: ["name", "at"], properties: { name: { type: "string" }, at: { type: "object", required: ["path"], properties: { path: { type: "string" } } } } },
    limits: { type: "object", examples: [{ cpu: 2, tags: ["a: b"] }] },
    grid: { type: "array", items: { type: "array", items: { type: "string" } } },
  },
  $defs: { mount: { type: "object", required: ["at", "from"], properties: { at: { type: "string" }, from: { type: "object", required: ["task"], properties: { task: { type: "string" } } } } } },
};

/** The text once `label` is taken at the `|`, as the editor inserts it. */
function taken(marked: string, label: string): string {
  const at = marked.indexOf("|");
  const text = marked.replace("|", "");
  const walk = new SchemaWalk(SCHEMA);
  const found = cursorsAt(text, at, "yaml").flatMap((cursor) => proposals(walk, cursor, "yaml").map((proposal) => ({ cursor, proposal })));
  const one = found.find(({ proposal }) => proposal.label === label);
  if (one === undefined) throw new Error(`${label} is not among ${found.map(({ proposal }) => proposal.label).join(", ")}`);
  let state = EditorState.create({ doc: text });
  const view = { get state() { return state; }, dispatch: (transaction: Transaction) => { state = transaction.state; } };
  const { from, to } = one.cursor.word.outer;
  const blanks = one.proposal.snippet.startsWith("\n") ? /[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0 : 0;
  snippet(one.proposal.snippet)(view as unknown as EditorView, null, from - blanks, to);
  return state.doc.toString();
}

test.each([
  ["|", "env", "env:\n  "],
  ["|", "command", "command:\n  - "],
  ["|", "mounts", "mounts:\n  - at: \n    from:\n      task: "],
  ["|", "grid", "grid:\n  - "],
  ["mounts:\n  - |", "from", "mounts:\n  - from:\n      task: "],
  ["mounts:\n  - at: x\n    |", "from", "mounts:\n  - at: x\n    from:\n      task: "],
  ["mounts:\n  - from: |", "{ }", "mounts:\n  - from:\n      task: "],
  ["image: |", "{ }", "image:\n  name: \n  at:\n    path: "],
  ["image:\n  name: x\n  at: |", "{ }", "image:\n  name: x\n  at:\n    path: "],
  ["mounts: |", "[ ]", "mounts:\n  - at: \n    from:\n      task: "],
  ["mounts:\n  - |", "{ }", "mounts:\n  - at: \n    from:\n      task: "],
  ["image:\n  |", "{ }", "image:\n  name: \n  at:\n    path: "],
  ["grid:\n  - |", "[ ]", "grid:\n  - - "],
  ["command: |", '["make","test"]', "command:\n  - make\n  - test"],
  ["limits: |", '{"cpu":2,"tags":["a: b"]}', 'limits:\n  cpu: 2\n  tags:\n    - "a: b"'],
  // In braces everything is.
  ["{ | }", "image", "{ image: {name: , at: {path: }} }"],
  ["mounts: [{ | }]", "from", "mounts: [{ from: {task: } }]"],
] as const)("%j: %s", (marked, label, expected) => {
  const text = taken(marked, label);
  expect(text).toBe(expected);
  expect(() => parse(text) as unknown).not.toThrow();
});
