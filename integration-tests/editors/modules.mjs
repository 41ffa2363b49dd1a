// Finds the packages where scripts/test installed them, and speaks JSON: one request on standard input, one answer.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

export const load = createRequire(`${process.env.WM_TEST_NODE_FOLDER}/package.json`);

export const request = JSON.parse(readFileSync(0, "utf8"));

export function answer(value) {
  process.stdout.write(JSON.stringify(value));
}
