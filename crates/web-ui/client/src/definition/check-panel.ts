/** What publishing would come to: compatibility with its witness, documentation, recorded tasks. */

import { button, el } from "../page/dom";
import type { CheckReport, Compatibility, Coverage, Finding, Replay } from "./shapes";

/** Entries of a list that are shown. */
const MOST = 50;

export class CheckPanel {
  readonly element: HTMLElement;
  private readonly compatibility = el("div");
  private readonly documentation = el("div");
  private readonly replayed = el("div", { role: "status" });
  private shown = "";

  /** `replay` reads recorded tasks and holds them against the text; none where there is no queue. */
  constructor(replay: (() => Promise<Replay | string>) | null) {
    this.element = el("section", { class: "check", "aria-label": "Check" }, el("h2", {}, "What publishing would come to"), this.compatibility, this.documentation);
    if (replay === null) return;
    const start = button("Hold it against recorded tasks", () => void this.replay(replay, start));
    this.element.append(el("div", { class: "actions" }, start), this.replayed);
  }

  show({ gate, compatibility, documentation }: Partial<CheckReport>): void {
    const next = JSON.stringify([gate?.ok, compatibility, documentation]);
    if (next === this.shown) return;
    this.shown = next;
    const why = gate?.ok === true ? "Nothing is live under this id, so nothing can break." : "Once it can be published, it is compared with what is live.";
    this.compatibility.replaceChildren(...(compatibility === undefined ? [el("p", { class: "quiet" }, why)] : compatibilityWords(compatibility)));
    if (documentation !== undefined) this.documentation.replaceChildren(...coverageWords(documentation));
  }

  private async replay(replay: () => Promise<Replay | string>, start: HTMLButtonElement): Promise<void> {
    start.disabled = true;
    this.replayed.replaceChildren(el("p", { class: "progress" }, "Recorded tasks are read…"));
    const told = await replay().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    this.replayed.replaceChildren(...(typeof told === "string" ? [el("p", {}, told)] : replayWords(told)));
    start.disabled = false;
  }
}

const VERDICTS: Readonly<Record<Compatibility["verdict"], string>> = {
  compatible: "Compatible: every task that is accepted now would still be accepted.",
  breaking: "Breaking: some tasks that are accepted now would be refused.",
  unknown: "Unknown: it could not be decided whether every task that is accepted now would still be accepted.",
};

function compatibilityWords(report: Compatibility): HTMLElement[] {
  const { afterRollout } = report;
  if (afterRollout === undefined || afterRollout.verdict === report.verdict) return partWords(report);
  return [el("h3", {}, "While the rollout is open"), ...partWords(report), el("h3", {}, "Once it has ended"), ...partWords(afterRollout)];
}

function partWords({ verdict, against, witness, witnessIsTask, findings }: Compatibility): HTMLElement[] {
  const with_ = against.length === 0 ? "" : ` Compared with ${against.length === 1 ? "revision" : "revisions"} ${against.join(" and ")}.`;
  const words: HTMLElement[] = [el("p", { class: `compatibility ${verdict}` }, el("strong", {}, VERDICTS[verdict]), with_)];
  if (witness !== undefined && witness !== null) {
    const summary = `A ${witnessIsTask === true ? "task" : "payload"} that is accepted now and would be refused`;
    words.push(el("details", { open: verdict === "breaking" }, el("summary", {}, summary), el("pre", { tabindex: "0" }, el("code", {}, JSON.stringify(witness, null, 2)))));
  }
  if (findings.length > 0) words.push(el("ul", { class: "findings" }, ...findings.slice(0, MOST).map(findingWords)));
  if (findings.length > MOST) words.push(el("p", { class: "quiet" }, `${findings.length - MOST} more differences are not listed.`));
  return words;
}

function findingWords({ effect, pointer, message, oldFragment, newFragment }: Finding): HTMLElement {
  const severity = effect === "tightened" ? "error" : effect === "unknown" ? "warning" : "info";
  const entry = el("li", { class: severity }, el("span", { class: "effect" }, effect), " ", el("code", {}, pointer || "/"), ` ${message}`);
  if (told(oldFragment) || told(newFragment)) {
    entry.append(el("div", { class: "quiet" }, el("code", {}, short(oldFragment)), " → ", el("code", {}, short(newFragment))));
  }
  return entry;
}

function told(fragment: unknown): boolean {
  return fragment !== undefined && fragment !== null;
}

function short(fragment: unknown): string {
  const text = told(fragment) ? JSON.stringify(fragment) : "nothing";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function coverageWords({ complete, properties, undescribed, unmentioned, withoutExample, deadLinks }: Coverage): HTMLElement[] {
  const all = properties === 0 ? "nothing is missing" : `all ${properties} properties are described and mentioned`;
  if (complete) return [el("p", {}, `Documentation: ${all}.`)];
  const list = (words: string, names: readonly string[]): HTMLElement[] =>
    names.length === 0 ? [] : [el("li", {}, `${words}: ${names.slice(0, MOST).join(", ")}${names.length > MOST ? " …" : ""}`)];
  const missing = [
    ...list("without a description in the schema", undescribed), ...list("not mentioned in the documentation", unmentioned),
    ...list("variants without an example", withoutExample), ...list("links that lead nowhere", deadLinks),
  ];
  return [el("details", {}, el("summary", {}, "Documentation: something is missing"), el("ul", {}, ...missing))];
}

function replayWords({ checked, newlyRejected, newlyAccepted }: Replay): HTMLElement[] {
  const refused = newlyRejected.length === 0 ? "none would newly be refused" : `${newlyRejected.length} would newly be refused`;
  const accepted = newlyAccepted === 0 ? "" : `, ${newlyAccepted} newly accepted`;
  const items = newlyRejected.slice(0, MOST).map(({ index, errors }) =>
    el("li", { class: "error" }, `task ${index + 1}: ${errors.map((error) => error.message).slice(0, 3).join("; ")}`));
  return [el("p", {}, `Of ${checked} recorded tasks ${refused}${accepted}.`), ...(items.length > 0 ? [el("ul", { class: "findings" }, ...items)] : [])];
}
