/** Tasks that were warned about or refused lately: whether it is safe to enforce. Asked of the queue. */

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

/** Fills the section that names where to ask; it stays hidden where nothing is answered. */
export async function startVerdicts(): Promise<void> {
  const section = document.querySelector<HTMLElement>("[data-verdicts]");
  const url = section?.dataset["verdicts"];
  if (section === null || url === undefined) return;
  const answer = await fetch(url);
  if (!answer.ok) return;
  const { summary } = (await answer.json()) as { summary?: Summary };
  if (summary === undefined) return;
  section.append(element("p", {}, verdictOn(summary)));
  if (summary.causes.length > 0) section.append(table(summary.causes));
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
  const head = element("tr", {}, ...["Place", "What is wrong", "Tasks"].map((name) => element("th", { scope: "col" }, name)));
  const rows = causes.slice(0, SHOWN).map((cause) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("code", {}, cause.pointer)),
      element("td", {}, cause.lastMessage),
      element("td", {}, element("a", { href: `/tasks/${encodeURIComponent(cause.lastTaskId)}` }, String(cause.tasks))),
    ),
  );
  return element("table", { class: "list" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

function element(name: string, attributes: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
