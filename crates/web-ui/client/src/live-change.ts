/** The forms below a difference that change what is live: going back, and ending a rollout. */

import { Refused, ask, tokenForm } from "./page/api";
import { button, el, given } from "./page/dom";

/** Makes them work where a page has one. Each button says where it sends to, and what it does in words. */
export function startLiveChange(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-live-change]");
  if (form === null) return;
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter !== null) begin(form, event.submitter);
  });
}

/** What refuses tasks that are accepted now is asked about once more. */
function begin(form: HTMLFormElement, pressed: HTMLElement): void {
  const { confirm, yes = "Yes" } = pressed.dataset;
  if (confirm === undefined) return void change(form, pressed);
  const go = button(yes, () => void change(form, pressed), { class: "danger" });
  tell(el("div", { class: "notice warning" }, el("p", {}, confirm), go, " ", button("Leave it as it is", () => tell())));
  go.focus();
}

async function change(form: HTMLFormElement, pressed: HTMLElement): Promise<void> {
  const message = String(new FormData(form).get("message")).trim();
  const enable = (enabled: boolean): void => {
    for (const each of form.querySelectorAll<HTMLButtonElement>("button[data-url]")) each.disabled = !enabled;
  };
  enable(false);
  tell(el("p", { class: "progress" }, `${given(pressed, "doing")}…`));
  try {
    const headers = { "if-match": `"g${given(form, "generation")}"` };
    const { body } = form.dataset;
    // Going back takes the message with the revision; the end of a rollout has nothing else to say.
    const url = new URL(given(pressed, "url"), location.href);
    if (message !== "") url.searchParams.set("message", message);
    if (body === undefined) await ask(url.pathname + url.search, { method: "POST", headers });
    else await ask(given(pressed, "url"), { method: "POST", body: JSON.stringify({ ...(JSON.parse(body) as object), message }), headers });
    location.assign(given(form, "then"));
  } catch (error) {
    enable(true);
    tell(...refusal(error, pressed, form));
  }
}

/** What was wrong, and what to do. */
function refusal(error: unknown, pressed: HTMLElement, form: HTMLFormElement): HTMLElement[] {
  const words = error instanceof Error ? error.message : String(error);
  const failed = given(pressed, "failed");
  if (!(error instanceof Refused)) return [el("p", { class: "notice bad" }, `${failed}: ${words}. Try again.`)];
  if (error.wantsToken !== null) return [el("div", { class: "notice" }, tokenForm(error.wantsToken, words, () => void change(form, pressed)))];
  const { problem, errors } = error.problem;
  // What is compared here is no longer what is live.
  const again = problem === "precondition-failed" || problem === "no-rollout" ? [" ", el("a", { href: given(form, "then") }, "See what is live now")] : [];
  const items = errors.map((item) => el("li", {}, item.pointer === "" ? "" : el("code", {}, item.pointer), ` ${item.message}`));
  return [el("p", { class: "notice bad" }, `${failed}: ${words}`, ...again), ...(items.length > 0 ? [el("ul", { class: "findings" }, ...items)] : [])];
}

function tell(...content: readonly HTMLElement[]): void {
  document.querySelector("#_told")?.replaceChildren(...content);
}
