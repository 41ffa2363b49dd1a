/** Tasks that were warned about or refused lately: whether it is safe to enforce. Asked of the queue. */

import { Refused, ask, tokenForm } from "./page/api";
import { button, el } from "./page/dom";

interface Cause {
  readonly pointer: string;
  readonly tasks: number;
  readonly lastTaskId: string;
  readonly lastMessage: string;
}

interface Summary {
  readonly valid: number;
  readonly invalid: number;
  readonly unchecked: number;
  readonly warned: number;
  readonly refused: number;
  readonly causes: readonly Cause[];
}

const SHOWN = 10;

/** Fills the section that names where to ask; it stays hidden where the queue knows nothing of the worker type. */
export function startVerdicts(): void {
  const section = document.querySelector<HTMLElement>("[data-verdicts]");
  const url = section?.dataset["verdicts"];
  if (section !== null && url !== undefined) void fill(section, url);
}

async function fill(section: HTMLElement, url: string): Promise<void> {
  try {
    const { summary } = await ask<{ summary?: Summary }>(url);
    if (summary === undefined) return;
    show(section, el("p", {}, verdictOn(summary)), ...(summary.causes.length > 0 ? [table(summary.causes)] : []));
  } catch (error) {
    const again = (): void => void fill(section, url);
    const words = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Refused)) show(section, el("p", { class: "quiet" }, `The queue did not say: ${words}. `, button("Ask again", again)));
    else if (error.wantsToken !== null) show(section, el("details", {}, el("summary", {}, "The queue asks for a token"), tokenForm(error.wantsToken, words, again)));
  }
}

/** What stood below the heading before goes. */
function show(section: HTMLElement, ...content: readonly HTMLElement[]): void {
  const heading = section.querySelector("h2");
  section.replaceChildren(...(heading === null ? [] : [heading]), ...content);
  section.hidden = false;
}

function verdictOn({ valid, invalid, unchecked, warned, refused }: Summary): string {
  const all = valid + invalid + unchecked;
  if (all === 0) return "No task was created here in the last seven days: nothing is known yet.";
  const counts = `In the last seven days: ${valid} valid, ${unchecked} unchecked, ${warned} created with a warning, ${refused} refused.`;
  if (warned > 0) return `${counts} Not yet: what was warned about would have been refused.`;
  if (invalid === 0 && valid > 0) return `${counts} Yes: nothing would have been refused.`;
  return counts;
}

function table(causes: readonly Cause[]): HTMLElement {
  const head = el("tr", {}, ...["Place", "What is wrong", "Tasks"].map((name) => el("th", { scope: "col" }, name)));
  const rows = causes.slice(0, SHOWN).map((cause) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("code", {}, cause.pointer)),
      el("td", {}, cause.lastMessage),
      el("td", {}, el("a", { href: `/tasks/${encodeURIComponent(cause.lastTaskId)}` }, String(cause.tasks))),
    ),
  );
  return el("table", { class: "list" }, el("thead", {}, head), el("tbody", {}, ...rows));
}
