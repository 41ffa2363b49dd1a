/** The editor on schemas as they are in use, and on small cases after public reports of what other editors did wrong. */

import { basename, join, relative } from "node:path";
import { Editor } from "../fixtures/editor";
import type { Json } from "../fixtures/registry";
import { folder, jsonFiles, missing, readJson } from "../fixtures/shared";
import { expect, test } from "../fixtures/test";

const SCHEMAS = "data/taskcluster/payload-schemas";
const CASES = "cases/cases.json";

type Schema = { [key: string]: Json };

test("given any real payload schema, then the editor opens, completes its keys and marks a wrong type", async ({ page, registry, watched }) => {
  const from = folder(SCHEMAS);
  test.skip(from === undefined, missing(SCHEMAS));
  test.setTimeout(240_000);
  watched.allow(/status of 404.*task-schema/);
  const files = jsonFiles(from ?? "");
  expect(files.length).toBeGreaterThanOrEqual(60);
  let editor: Editor | undefined;
  const wrong: string[] = [];
  for (const [index, file] of files.entries()) {
    const name = relative(from ?? "", file);
    const schema = readJson<Schema>(file);
    const { keys, place } = payloadKeys(schema, file);
    const id = `corpus/w${index}`;
    await registry.publish(id, { description: basename(file), validation: "enforce", variants: [{ name: "default", [place]: schema }] });
    const schemaOfTasks = page.waitForResponse((response) => response.url().endsWith(`/task-schema?workerType=${encodeURIComponent(id)}`));
    editor ??= await Editor.open(page, `/tasks/new?workerType=${id}`);
    const head = `${headOf(id)}, "payload": {\n`;
    await editor.write(`${head}  ""\n}}`);
    await expect(page.locator(".verdict")).toContainText(id);
    // The verdict may be there before the schema that keys are proposed from.
    await (await schemaOfTasks).finished();
    await editor.go(linesOf(head), 4);
    const proposals = await editor.proposals().catch(() => [] as string[]);
    await page.keyboard.press("Escape");
    const lost = keys.filter((key) => !proposals.includes(key));
    if (lost.length > 0) wrong.push(`${name}: not proposed: ${lost.join(", ")}; proposed: ${proposals.join(", ")}`);
    const typed = wrongType(schema, keys, place);
    if (typed === undefined) continue;
    await editor.write(`${head}  "${typed.key}": ${typed.value}\n}}`);
    const found = editor.problems.getByRole("listitem").filter({ hasText: new RegExp(`^${linesOf(head)}:`) });
    const told = await found.first().waitFor({ timeout: 5_000 }).then(() => true, () => false);
    if (!told) wrong.push(`${name}: ${typed.key}: ${typed.value} is not marked; listed: ${JSON.stringify(await editor.listed())}`);
  }
  expect(wrong).toEqual([]);
});

/** What every task says of itself. */
function members(id: string): { [key: string]: Json } {
  const [created = "", deadline = ""] = [0, 3_600_000].map((later) => new Date(Date.now() + later).toISOString());
  const metadata = { name: "n", description: "d", owner: "o@example.com", source: "https://example.com" };
  return { taskQueueId: id, created, deadline, metadata };
}

/** The beginning of a task, in short lines; the payload follows. */
function headOf(id: string): string {
  return JSON.stringify(members(id), null, 1).slice(0, -2);
}

function linesOf(text: string): number {
  return text.split("\n").length;
}

/** The keys of a payload at its top, and whether the schema is of the payload or of the whole task. */
function payloadKeys(schema: Schema, file: string): { keys: string[]; place: "payloadSchema" | "taskSchema" } {
  const properties = (schema["properties"] ?? {}) as Schema;
  const payload = properties["payload"] as Schema | undefined;
  const isTask = !file.endsWith(".payload.json") && payload !== undefined;
  const own = isTask ? ((payload["properties"] ?? {}) as Schema) : properties;
  return { keys: Object.keys(own), place: isTask ? "taskSchema" : "payloadSchema" };
}

/** A key whose type is one simple one, and a value of another. */
function wrongType(schema: Schema, keys: readonly string[], place: string): { key: string; value: string } | undefined {
  const properties = (schema["properties"] ?? {}) as Schema;
  const own = (place === "taskSchema" ? ((properties["payload"] as Schema)["properties"] ?? {}) : properties) as Schema;
  for (const key of keys) {
    const type = (own[key] as Schema | undefined)?.["type"];
    if (type === "string") return { key, value: "17" };
    if (typeof type === "string") return { key, value: '"text"' };
  }
  return undefined;
}

interface Case {
  id: string;
  kind: string;
  input: { schema: Json; text: string; language: "json" | "yaml"; cursor?: { line: number; column: number } };
  expected: {
    completionsInclude?: string[];
    completionsExclude?: string[];
    applyResultParses?: boolean;
    diagnostics?: { line: number; column: number; endColumn: number; mentions: string[] }[];
    count?: number;
    diagnosticsMin?: number;
    mentions?: string[];
    suggestion?: string;
  };
}

test("given the cases of editors, then each has its right answer", async ({ page, registry }) => {
  const from = folder("cases");
  test.skip(from === undefined, missing(CASES));
  test.setTimeout(120_000);
  const cases = readJson<Case[]>(join(from ?? "", "cases.json")).filter(({ kind }) => kind === "editor");
  expect(cases.length).toBeGreaterThanOrEqual(7);
  for (const [index, { id, input, expected }] of cases.entries()) {
    await test.step(id, async () => {
      const workerType = `cases/c${index}`;
      await registry.publish(workerType, { description: id, validation: "enforce", variants: [{ name: "default", payloadSchema: input.schema }] });
      const editor = await Editor.open(page, `/tasks/new?workerType=${workerType}`);
      await editor.speak(input.language === "yaml" ? "YAML" : "JSON");
      const embedded = input.language === "yaml" ? inYaml(workerType, input.text) : inJson(workerType, input.text);
      await editor.write(embedded.text);
      await expect(page.locator(".verdict")).toContainText(workerType);
      if (input.cursor !== undefined) {
        await editor.go(input.cursor.line + embedded.lines, input.cursor.column + embedded.columns);
        const proposals = await editor.proposals();
        for (const name of expected.completionsInclude ?? []) expect(proposals, id).toContain(name);
        for (const name of expected.completionsExclude ?? []) expect(proposals, id).not.toContain(name);
        if (expected.applyResultParses === true) {
          await editor.take();
          await page.keyboard.press("Escape");
          const text = await editor.text();
          const key = expected.completionsInclude?.[0] ?? "";
          expect(text).toMatch(new RegExp(`"${key}":`));
        }
        return;
      }
      const own = async () => (await editor.listed())
        .map((problem) => ({ ...problem, line: problem.line - embedded.lines, column: problem.column - embedded.columns }))
        // What the payload as a whole lacks stands on its name, in the line before it.
        .filter(({ line }) => line >= 0 && line <= linesOf(input.text));
      await expect.poll(own, `${id}: ${JSON.stringify(await editor.listed())}`).not.toEqual([]);
      const found = await own();
      if (expected.count !== undefined) expect(found, id).toHaveLength(expected.count);
      for (const { line, column, endColumn, mentions } of expected.diagnostics ?? []) {
        const there = found.filter((problem) => problem.line === line && problem.column === column);
        expect(there, `${id}: ${JSON.stringify(found)}`).not.toEqual([]);
        const message = there[0]?.message ?? "";
        for (const word of mentions) expect(message, id).toContain(word);
        const marked = await editor.marked(new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
        expect(marked, id).toHaveLength(endColumn - column);
      }
      const all = found.map(({ message }) => message).join("\n");
      for (const word of [...(expected.mentions ?? []), ...(expected.suggestion === undefined ? [] : [expected.suggestion])]) expect(all, id).toContain(word);
    });
  }
});

interface Embedded {
  text: string;
  /** How far down and to the right the text stands in it. */
  lines: number;
  columns: number;
}

function inJson(id: string, text: string): Embedded {
  const head = `${headOf(id)}, "payload":`;
  return { text: `${head}\n${text}\n}`, lines: linesOf(head), columns: 0 };
}

function inYaml(id: string, text: string): Embedded {
  const head = Object.entries(members(id)).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const inner = text.split("\n").map((line) => (line === "" ? line : `  ${line}`)).join("\n");
  return { text: `${head.join("")}payload:\n${inner}`, lines: head.length + 1, columns: 2 };
}
