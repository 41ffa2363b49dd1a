/** Which texts are another language than their switch says. */

import { expect, test } from "vitest";
import { isWrittenIn } from "../src/page/language-switch";

test.each([
  // RFC 8259 has no comma before a brace and no bare names; YAML 1.2.2 §7.4 has both.
  ['{"a": 1,}', "yaml", false],
  ["{a: 1}", "yaml", false],
  ["['x']", "yaml", false],
  ["a: 1\nb: [x, y]\n", "yaml", true],
  ["- a\n- b\n", "yaml", true],
  ["a word", "yaml", false],
  ["a: [1\n", "yaml", false],
  // A tab before a key is a fault in YAML.
  ['{\n\t"a": {\n\t"b": 1}\n}', "json", true],
  ["a: 1", "json", false],
  ["", "json", false],
] as const)("%j is %s: %s", (text, language, expected) => {
  expect(isWrittenIn(text, language)).toBe(expected);
});
