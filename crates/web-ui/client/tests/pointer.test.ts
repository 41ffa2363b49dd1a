/** Errors on their tokens. */

import { expect, test } from "vitest";
import { locate } from "../src/source/pointer";
import { read } from "../src/source/read";
import type { Language } from "../src/source/tree";

const JSON_TEXT = '{"payload": {"image": "x", "command": ["sh", 5], "env": {"a/b": 1, "m~n": 2}, "features": {}}}';
const YAML_TEXT = "payload:\n  image: x\n  command: [sh, 5]\n  env:\n    a/b: 1\n    m~n: 2\n  features: {}\n  list:\n    - name: y\n  nothing:\n";

const PLACES: [Language, string, string, string][] = [
  ["json", "/payload/image", "type", '"x"'],
  ["json", "/payload/command/1", "type", "5"],
  ["json", "/payload/env/a~1b", "type", "1"],
  ["json", "/payload/env/m~0n", "type", "2"],
  ["json", "/payload/image", "additionalProperties", '"image"'],
  ["json", "/payload", "required", '"payload"'],
  ["json", "", "required", "{"],
  ["json", "/payload/command", "minItems", '"command"'],
  ["json", "/payload/missing", "required", '"payload"'],
  ["yaml", "/payload/image", "type", "x"],
  ["yaml", "/payload/command/1", "type", "5"],
  ["yaml", "/payload/env/a~1b", "type", "1"],
  ["yaml", "/payload/env", "additionalProperties", "env"],
  ["yaml", "/payload", "required", "payload"],
  ["yaml", "", "required", "payload"],
  ["yaml", "/payload/list/0", "required", "name"],
  ["yaml", "/payload/nothing", "type", "nothing"],
];

test.each(PLACES)("%s: %s (%s) is %s", (language, pointer, problem, token) => {
  const text = language === "json" ? JSON_TEXT : YAML_TEXT;
  const { from, to } = locate(read(text, language).root, pointer, problem);
  expect(text.slice(from, to)).toBe(token);
});

test("what is said of a value that is not written yet says nothing", () => {
  const { root } = read('{"a": }', "json");
  expect(locate(root, "/a", "type").hole).toBe(true);
  expect(locate(root, "", "required").hole).toBe(false);
});
