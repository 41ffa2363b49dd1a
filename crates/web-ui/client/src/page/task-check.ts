/** Asks worker-manager what the queue would say of a task. */

import type { Check } from "../editor/checking";
import { type Finding, type Report, finding } from "../editor/report";
import { jsonText } from "../source/json-text";
import { type Node, stringUnder } from "../source/tree";
import { type Item, ask } from "./api";
import { type Rollout, inRollout } from "./rollout-words";
import { timeFindings } from "./time-rules";

/** A verdict takes milliseconds: what takes longer is stuck. */
const PATIENCE_MS = 5_000;
/** The pattern of worker type ids. */
const ID = /^[a-zA-Z0-9-_]{1,38}\/[a-z]([-a-z0-9]{0,36}[a-z0-9])?$/;

export interface Verdict {
  readonly verdict: "valid" | "invalid" | "unchecked";
  readonly reason?: string;
  readonly workerTypeId: string;
  /** None where there is no such worker type. */
  readonly generation: number | null;
  readonly revisions: readonly { readonly revision: number }[];
  /** Only while a rollout is open. */
  readonly rollout?: Rollout;
  readonly validation: "off" | "warn" | "enforce" | null;
  readonly rejectedBy: readonly string[];
  readonly warnings: readonly Item[];
  readonly errors: readonly Item[];
  readonly moreErrors: number;
}

/** The generation of which there is a schema to ask for; none where the worker type is not there, or not any more. */
export function liveGeneration({ reason, generation }: Verdict): number | null {
  return reason === "deleted" || reason === "unknown-worker-type" ? null : generation;
}

/** The worker type that a task names; none where it names none, or none that there can be. */
export function workerTypeOf(task: Node | null): string | null {
  const provisioner = stringUnder(task, "provisionerId");
  const worker = stringUnder(task, "workerType");
  const id = stringUnder(task, "taskQueueId") ?? `${provisioner ?? ""}/${worker ?? ""}`;
  return ID.test(id) ? id : null;
}

/** `fallback` is the worker type that the page was opened for; `told` hears of the worker type that the text names. */
export function taskCheck(api: string, fallback: string, told: (verdict: Verdict) => void): Check {
  return async ({ root }, signal) => {
    if (root?.kind !== "mapping") return notATask();
    const id = workerTypeOf(root) ?? (fallback === "" ? null : fallback);
    if (id === null) return nowhere();
    const asked = { method: "POST", body: `{"task":${jsonText(root)}}`, signal, patienceMs: PATIENCE_MS } as const;
    const [verdict, shape] = await Promise.all([
      ask<Verdict>(`${api}/worker-types/${id}/validate`, asked),
      ask<{ errors: readonly Item[] }>("/tasks/check", asked),
    ]);
    told(verdict);
    return withTimes(reportOf(verdict, shape.errors), timeFindings(root));
  };
}

/** The queue refuses a task of the wrong shape whatever its worker type says. */
function withShape(report: Report, errors: readonly Item[]): Report {
  const said = new Set(report.findings.map(({ pointer, problem }) => `${problem} ${pointer}`));
  const more = errors.filter(({ pointer, problem }) => !said.has(`${problem} ${pointer}`)).map((item) => finding(item, "error"));
  if (more.length === 0) return report;
  const summary = report.outcome === "invalid" ? report.summary : "Invalid: the queue refuses it for what every task must have.";
  return { outcome: "invalid", summary, findings: [...report.findings, ...more] };
}

/** What is refused for its times alone is not green, and not the worker type's to refuse. */
function withTimes(report: Report, times: readonly Finding[]): Report {
  if (times.length === 0) return report;
  const findings = [...report.findings, ...times];
  if (report.outcome === "invalid") return { ...report, findings };
  return { outcome: "unchecked", summary: `${report.summary} But the queue would refuse its times.`, findings };
}

/** What the worker type says of a task, and what the queue refuses in every task. */
export function reportOf(verdict: Verdict, ofEveryTask: readonly Item[] = []): Report {
  const errors = verdict.errors.map((item) => finding(item, "error"));
  const warnings = verdict.warnings.map((item) => finding(item, "warning"));
  const summary = summaryOf(verdict);
  const report = withShape({ outcome: verdict.verdict, summary, findings: [...errors, ...warnings] }, ofEveryTask);
  const saysEachRevision = verdict.rollout !== undefined && verdict.verdict !== "unchecked" && report.summary === summary;
  if (!saysEachRevision) return report;
  return { ...report, findings: report.findings.filter(({ problem }) => problem !== "rejected-by-revision") };
}

/** Without a count: the list of problems below counts them, those of syntax and of the task's shape among them. */
function summaryOf(verdict: Verdict): string {
  const { reason, validation, warnings, moreErrors } = verdict;
  switch (verdict.verdict) {
    case "valid":
      return `Valid: ${decided(verdict, "accepts")}`;
    case "invalid":
      return `Invalid: ${decided(verdict, "refuses")} ${consequence(validation)}${moreErrors === 0 ? "" : " There are more errors than are listed."}`.trim();
    case "unchecked":
      return `Unchecked: ${UNCHECKED[reason ?? ""] ?? warnings[0]?.message ?? reason ?? ""}`;
  }
}

/** Who decided, and how. */
function decided({ workerTypeId, revisions, rollout }: Verdict, does: "accepts" | "refuses"): string {
  if (rollout !== undefined) return inRollout(workerTypeId, rollout);
  const revision = revisions.at(-1)?.revision;
  return `${workerTypeId}${revision === undefined ? "" : `, revision ${revision}`} ${does} this task.`;
}

const UNCHECKED: Readonly<Record<string, string>> = {
  "no-schema": "the worker type has no schema; all that is known is that the payload is an object.",
  off: "the worker type does not have its tasks checked.",
};

function consequence(validation: Verdict["validation"]): string {
  switch (validation) {
    case "enforce":
      return "The queue will not create it.";
    case "warn":
      return "The queue will create it with a warning; it is likely to fail.";
    default:
      return "";
  }
}

function notATask(): Report {
  const message = "a task definition is an object: { … } in JSON, keys and values in YAML";
  return { outcome: "invalid", summary: `Invalid: ${message}.`, findings: [fault("type", "", message)] };
}

function nowhere(): Report {
  const message = "taskQueueId must name a worker type, as in provisioner/worker-type";
  return { outcome: "unchecked", summary: `Unchecked: ${message}.`, findings: [fault("required", "/taskQueueId", message)] };
}

function fault(problem: string, pointer: string, message: string): Finding {
  return { severity: "error", problem, pointer, message, expected: null, suggestion: null, description: null };
}
