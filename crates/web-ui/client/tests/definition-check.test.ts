/** What is asked and said of a definition. */

import { afterEach, expect, test, vi } from "vitest";
import { definitionCheck } from "../src/definition/definition-check";
import type { CheckReport } from "../src/definition/shapes";
import { read } from "../src/source/read";
import type { Language } from "../src/source/tree";

afterEach(() => vi.unstubAllGlobals());

/** What is said of a text, asked of a gate that would find fault with whatever it is given. */
async function checked(text: string, language: Language) {
  const refusal = { problem: "required", pointer: "", message: "the definition must have a description", expected: null, actual: null, suggestion: null, description: null, variant: null };
  const asked = vi.fn(() => Promise.resolve(new Response(JSON.stringify({ gate: { ok: false, errors: [refusal], warnings: [] } }))));
  vi.stubGlobal("fetch", asked);
  vi.stubGlobal("location", { origin: "http://127.0.0.1" });
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  const told: CheckReport[] = [];
  const report = await definitionCheck("/api/worker-manager/v1", () => "p/w", (one) => told.push(one))(read(text, language), new AbortController().signal);
  return { report, told, requests: asked.mock.calls.length };
}

test.each([["variants:\n  - name: [\ndescription: x\n", "yaml"], ['{"variants": [{"name": }], "description" "x"', "json"]] as const)(
  "given an error of syntax in %j, then the gate is not asked and nothing is said that may only come of it", async (text, language) => {
    const { report, told, requests } = await checked(text, language);
    expect(requests).toBe(0);
    expect(report).toMatchObject({ outcome: "invalid", findings: [] });
    expect(report.summary).toContain("errors of syntax");
    // What was found in an earlier text is not said of this one.
    expect(told).toEqual([{ gate: { ok: false, errors: [], warnings: [] } }]);
  });

test("given a text that can be read, then what the gate finds is said", async () => {
  const { report, requests } = await checked("owner: x\n", "yaml");
  expect(requests).toBe(1);
  expect(report.findings.map(({ message }) => message)).toEqual(["the definition must have a description"]);
});

async function said(headers: Record<string, string>, warnings: readonly object[]) {
  const answer = { gate: { ok: true, errors: [], warnings }, compatibility: { verdict: "compatible", against: [1, 2], findings: [] } };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(answer), { headers })));
  vi.stubGlobal("location", { origin: "http://127.0.0.1" });
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  return definitionCheck("/api/worker-manager/v1", () => "p/w", () => undefined)(read("description: x\n", "yaml"), new AbortController().signal);
}

test("while a rollout is open nothing is green, and what replaces it is chosen on the page", async () => {
  const open = { problem: "rollout-open", pointer: "/rollout", message: "publishing is refused, unless it is to replace the newer one (?rollout=replace)" };
  const { outcome, summary, findings } = await said({}, [open]);
  expect(outcome).toBe("unchecked");
  expect(summary).toContain("A rollout is open: it can be published in place of the newer revision");
  expect(findings.map(({ message }) => message)).toEqual(["publishing is refused, unless it is to replace the newer one, which is chosen below"]);
});

test("while the database is away it is said that nothing can be published", async () => {
  expect(await said({}, [])).toMatchObject({ outcome: "valid", summary: "It can be published." });
  const { outcome, summary } = await said({ "x-registry-age": "42" }, []);
  expect(outcome).toBe("unchecked");
  expect(summary).toContain("The database has not answered for 42 s: nothing can be published until it does.");
});
