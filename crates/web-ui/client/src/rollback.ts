/** The buttons of a history that make an earlier revision live again. */

import { Refused, ask, tokenForm } from "./page/api";
import { el } from "./page/dom";

/** Makes them work where the page says where to ask. */
export function startRollback(): void {
  const history = document.querySelector<HTMLElement>("[data-rollback]");
  const url = history?.dataset["rollback"];
  const generation = history?.dataset["generation"];
  if (history === null || url === undefined || generation === undefined) return;
  for (const button of history.querySelectorAll<HTMLButtonElement>("button[data-revision]")) {
    button.hidden = false;
    button.addEventListener("click", () => begin(button, url, generation));
  }
}

function begin(button: HTMLButtonElement, url: string, generation: string): void {
  const revision = Number(button.dataset["revision"]);
  const message = window.prompt(`Why is revision ${revision} made live again?`, `back to revision ${revision}`);
  if (message !== null) void rollBack(button, url, generation, { revision, message });
}

async function rollBack(button: HTMLButtonElement, url: string, generation: string, asked: { revision: number; message: string }): Promise<void> {
  button.disabled = true;
  tell();
  try {
    await ask(url, { method: "POST", body: JSON.stringify(asked), headers: { "if-match": `"g${generation}"` } });
    location.reload();
  } catch (error) {
    button.disabled = false;
    const words = error instanceof Error ? error.message : String(error);
    const service = error instanceof Refused ? error.wantsToken : null;
    if (service !== null) tell(el("div", { class: "notice" }, tokenForm(service, words, () => void rollBack(button, url, generation, asked))));
    else tell(el("p", { class: "notice bad" }, `Revision ${asked.revision} was not made live again: ${words}${error instanceof Refused ? "" : ". Try again."}`));
  }
}

function tell(...content: readonly HTMLElement[]): void {
  document.querySelector("#_told")?.replaceChildren(...content);
}
