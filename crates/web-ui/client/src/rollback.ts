/** The buttons of a history that make an earlier revision live again. */

/** Makes them work where the page says where to ask. */
export function startRollback(): void {
  const history = document.querySelector<HTMLElement>("[data-rollback]");
  const url = history?.dataset["rollback"];
  const generation = history?.dataset["generation"];
  if (history === null || url === undefined || generation === undefined) return;
  for (const button of history.querySelectorAll<HTMLButtonElement>("button[data-revision]")) {
    button.hidden = false;
    button.addEventListener("click", () => void rollBack(button, url, generation));
  }
}

async function rollBack(button: HTMLButtonElement, url: string, generation: string): Promise<void> {
  const revision = Number(button.dataset["revision"]);
  const message = window.prompt(`Why is revision ${revision} made live again?`, `back to revision ${revision}`);
  if (message === null) return;
  button.disabled = true;
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "if-match": `"g${generation}"` },
    body: JSON.stringify({ revision, message }),
  });
  if (answer.ok) return location.reload();
  button.disabled = false;
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
  const told = document.querySelector<HTMLElement>("#_told");
  if (told === null) return;
  const notice = document.createElement("p");
  notice.className = "notice bad";
  notice.textContent = problem.detail ?? `The server answered ${answer.status}.`;
  told.replaceChildren(notice);
}
