/** The live part of a page as the server shows it now. */

export class Missing extends Error {
  constructor(readonly status: number) {
    super(`the page answers ${status}`);
  }
}

/** @throws {@link Missing} where the page is not shown, and what `fetch` throws. */
export async function livePart(url: string, signal: AbortSignal | null = null): Promise<HTMLElement> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Missing(answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const part = page.querySelector<HTMLElement>("[data-live]");
  if (part === null) throw new Error("the page has no live part");
  return part;
}
