/** Asks worker-manager what would come of a definition. */

import type { Check } from "../editor/checking";
import { type Finding, type Report, finding } from "../editor/report";
import { answer, ask } from "../page/api";
import { jsonText } from "../source/json-text";
import type { Source } from "../source/tree";
import type { CheckReport, Replay } from "./shapes";
import { placeholders } from "./template";

/** Stands in for an id that is not chosen yet: nothing is published under it. */
const UNNAMED = "unnamed/unnamed";
/** A thousand tasks may take their time. */
const REPLAY_MS = 60_000;

export function definitionCheck(api: string, id: () => string, told: (report: CheckReport) => void): Check {
  return async ({ root, faults }, signal) => {
    // What a half-read definition lacks, its author may have written: the gate is asked about whole ones.
    if (faults.length > 0) {
      told({ gate: { ok: false, errors: [], warnings: [] } });
      return unread();
    }
    if (root?.kind !== "mapping") return notADefinition();
    const body = `{"definition":${jsonText(root)}}`;
    const answered = await answer(`${api}/worker-types/${id() || UNNAMED}/check`, { method: "POST", body, signal });
    const report = (await answered.json()) as CheckReport;
    told(report);
    const found = withPlaceholders(reportOf(report, id()), placeholders(root));
    return withoutDatabase(found, answered.headers.get("x-registry-age"));
  };
}

function reportOf({ gate, compatibility }: CheckReport, id: string): Report {
  const warnings = gate.warnings.map((item) => finding({ ...item, message: item.message.replace(" (?rollout=replace)", ", which is chosen below") }, "warning"));
  const findings = [...gate.errors.map((item) => finding(item, "error")), ...warnings];
  if (!gate.ok) return { outcome: "invalid", summary: "It would be refused, for the errors that are listed.", findings };
  const breaking = compatibility?.verdict === "breaking" ? " Tasks that are accepted now would be refused." : "";
  if (id === "") return { outcome: "unchecked", summary: "It can be published once it has an id.", findings };
  if (isRolling({ gate })) {
    const summary = `A rollout is open: it can be published in place of the newer revision, which is chosen below, or once the rollout is completed or aborted.${breaking}`;
    return { outcome: "unchecked", summary, findings };
  }
  // What can be done and hurts is not green.
  return { outcome: breaking === "" ? "valid" : "unchecked", summary: `It can be published.${breaking}`, findings };
}

/** Whether a rollout is open, of which publishing would replace the newer revision. */
export function isRolling({ gate }: Pick<CheckReport, "gate">): boolean {
  return gate.warnings.some(({ problem }) => problem === "rollout-open");
}

/** `age` is for how long the database has not answered, in seconds; none while it does. */
function withoutDatabase(report: Report, age: string | null): Report {
  if (age === null) return report;
  const away = `The database has not answered for ${age} s: nothing can be published until it does.`;
  return { ...report, outcome: report.outcome === "valid" ? "unchecked" : report.outcome, summary: `${away} ${report.summary}` };
}

/** It can be published so, and should not: nobody is helped by the template's words. */
function withPlaceholders(report: Report, left: readonly Finding[]): Report {
  if (left.length === 0) return report;
  const findings = [...report.findings, ...left];
  if (report.outcome === "invalid") return { ...report, findings };
  return { outcome: "unchecked", summary: `${report.summary} The template's words still stand in it.`, findings };
}

function unread(): Report {
  return { outcome: "invalid", summary: "It cannot be read yet: the rest is checked once its errors of syntax are mended (F8 leads there).", findings: [] };
}

function notADefinition(): Report {
  const message = "a definition is an object; description is the one field that it must have";
  const fault = { severity: "error", problem: "wrong-type", pointer: "", message, expected: null, suggestion: null, description: null } as const;
  return { outcome: "invalid", summary: `It would be refused: ${message}.`, findings: [fault] };
}

/** Holds recorded tasks (one JSON text each) against the definition. */
export async function replay(api: string, id: string, { root }: Source, tasks: readonly string[]): Promise<Replay | null> {
  const body = `{"definition":${jsonText(root)},"tasks":[${tasks.join(",")}]}`;
  const report = await ask<CheckReport>(`${api}/worker-types/${id}/check`, { method: "POST", body, patienceMs: REPLAY_MS });
  return report.replay ?? null;
}
