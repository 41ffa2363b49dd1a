/** The public trackers' complaints about editors, as `cases.json` of the shared data tells them. */

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cursorsAt } from "../src/source/cursor";
import { readJson } from "../src/source/read-json";
import type { Language } from "../src/source/tree";
import type { Schema } from "../src/schema/schema";
import { proposals } from "../src/schema/proposals";
import { SchemaWalk } from "../src/schema/schema-at";
import { plainText } from "./snippet-text";

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly why: string;
  readonly input: { schema: Schema; text: string; language: Language; cursor?: { line: number; column: number } };
  readonly expected: { completionsInclude?: string[]; completionsExclude?: string[]; applyResultParses?: boolean };
}

const FILE = new URL("../../../../../shared/cases/cases.json", import.meta.url);

function cases(): Case[] {
  if (!existsSync(FILE)) return [];
  const all = JSON.parse(readFileSync(FILE, "utf8")) as Case[];
  return all.filter((one) => one.kind === "editor" && one.input.cursor !== undefined);
}

function offset(text: string, { line, column }: { line: number; column: number }): number {
  const lines = text.split("\n");
  return lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

const found = cases();
test.skipIf(found.length > 0)("skipped: there is no shared data", () => undefined);

test.each(found.map((one) => [one.id, one] as const))("%s", (_, { input, expected }) => {
  const walk = new SchemaWalk(input.schema);
  const at = offset(input.text, input.cursor ?? { line: 1, column: 1 });
  const cursors = cursorsAt(input.text, at, input.language);
  const offered = cursors.flatMap((cursor) => proposals(walk, cursor, input.language));
  const labels = offered.map((proposal) => proposal.label);
  expect(labels).toEqual(expect.arrayContaining(expected.completionsInclude ?? []));
  for (const label of expected.completionsExclude ?? []) expect(labels).not.toContain(label);
  if (expected.applyResultParses !== true) return;
  const [cursor] = cursors;
  const [proposal] = offered;
  if (cursor === undefined || proposal === undefined) throw new Error("nothing is offered");
  const { from, to } = cursor.word.outer;
  const applied = input.text.slice(0, from) + plainText(proposal.snippet) + input.text.slice(to);
  expect(applied).toContain(`"${proposal.label}":`);
  expect(readJson(applied.replace(/: ?}/, ": null}")).faults).toEqual([]);
});
