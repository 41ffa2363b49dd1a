/** The search on the list: results come while one types, and stay in the URL. */

const WAIT_MS = 120;

/** Makes the form `data-search` fill `#_results` without a new page. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-search]");
  const results = document.querySelector<HTMLElement>("#_results");
  if (form === null || results === null) return;
  let timer: number | undefined;
  let running: AbortController | undefined;

  const search = async (): Promise<void> => {
    running?.abort();
    running = new AbortController();
    const url = urlOf(form);
    const slow = window.setTimeout(() => results.classList.add("busy"), 300);
    try {
      const found = await fetch(url, { signal: running.signal });
      const page = new DOMParser().parseFromString(await found.text(), "text/html");
      const fresh = page.querySelector("#_results");
      if (!found.ok || fresh === null) return form.submit();
      results.replaceChildren(...fresh.childNodes);
      history.replaceState(null, "", url);
    } catch (error) {
      // A newer search ended this one. Anything else is the browser's to tell.
      if (!(error instanceof DOMException && error.name === "AbortError")) form.submit();
    } finally {
      window.clearTimeout(slow);
      results.classList.remove("busy");
    }
  };

  form.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void search(), WAIT_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    window.clearTimeout(timer);
    void search();
  });
}

/** The page that the form asks for, without what was left empty. */
function urlOf(form: HTMLFormElement): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value !== "") pairs.append(name, value);
  }
  const query = pairs.toString();
  return query === "" ? "/" : `/?${query}`;
}
