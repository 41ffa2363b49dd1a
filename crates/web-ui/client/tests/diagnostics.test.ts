/** Marks: their order, their words, what mends them. */

import { expect, test } from "vitest";
import { diagnostics, oneLine } from "../src/editor/diagnostics";
import type { Finding } from "../src/editor/report";
import { read } from "../src/source/read";

const finding = (pointer: string, more: Partial<Finding> = {}): Finding => ({
  severity: "error", problem: "type", pointer, message: `${pointer} is wrong`, expected: null, suggestion: null, description: null, ...more,
});

test("a description is cut to its first paragraph, on one line, as the command line has it", () => {
  expect(oneLine("how long\n  it may run\n\nMore of it.")).toBe("how long it may run");
  expect([...oneLine("😀".repeat(200))].length).toBe(161);
  expect(oneLine("x".repeat(160))).toBe("x".repeat(160));
});

test("only what has a description is drawn with one", () => {
  const text = '{"a": 1, "b": 2}';
  const marks = diagnostics(read(text, "json"), [finding("/b", { description: "what b is" }), finding("/a")], "json", text.length);
  expect(marks.map(({ message, renderMessage }) => [message, renderMessage !== undefined])).toEqual([["/a is wrong", false], ["/b is wrong", true]]);
});
