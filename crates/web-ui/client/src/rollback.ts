/** The form below a difference that makes an earlier revision live again. */

import { Refused, ask, tokenForm } from "./page/api";
import { el, given } from "./page/dom";

/** Makes it work where a page has one. */
export function startRollback(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-rollback]");
  if (form === null) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void rollBack(form);
  });
}

async function rollBack(form: HTMLFormElement): Promise<void> {
  const revision = Number(given(form, "revision"));
  const message = String(new FormData(form).get("message")).trim();
  const button = form.querySelector("button");
  if (button !== null) button.disabled = true;
  tell(el("p", { class: "progress" }, `Revision ${revision} is made live again…`));
  try {
    const headers = { "if-match": `"g${given(form, "generation")}"` };
    await ask(given(form, "rollback"), { method: "POST", body: JSON.stringify({ revision, message }), headers });
    location.assign(given(form, "then"));
  } catch (error) {
    if (button !== null) button.disabled = false;
    tell(...refusal(error, revision, form));
  }
}

/** What was wrong, and what to do. */
function refusal(error: unknown, revision: number, form: HTMLFormElement): HTMLElement[] {
  const words = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Refused)) return [el("p", { class: "notice bad" }, `Revision ${revision} was not made live again: ${words}. Try again.`)];
  if (error.wantsToken !== null) return [el("div", { class: "notice" }, tokenForm(error.wantsToken, words, () => void rollBack(form)))];
  const { problem, errors } = error.problem;
  // What is compared here is no longer what is live.
  const again = problem === "precondition-failed" ? [" ", el("a", { href: given(form, "then") }, "See what is live now")] : [];
  const items = errors.map((item) => el("li", {}, item.pointer === "" ? "" : el("code", {}, item.pointer), ` ${item.message}`));
  return [el("p", { class: "notice bad" }, `Revision ${revision} was not made live again: ${words}`, ...again), ...(items.length > 0 ? [el("ul", { class: "findings" }, ...items)] : [])];
}

function tell(...content: readonly HTMLElement[]): void {
  document.querySelector("#_told")?.replaceChildren(...content);
}
