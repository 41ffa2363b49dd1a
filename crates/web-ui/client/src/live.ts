/** Another's publish appears without a reload; what somebody reads is not taken away under their eyes. */

interface Change {
  readonly kind: string;
  readonly workerTypeId?: string;
  readonly revision?: number;
}

const EVENTS = "/api/worker-manager/v1/events";
const KINDS = ["worker-type-published", "worker-type-rolled-back", "worker-type-deleted"] as const;
const SETTLE_MS = 300;

/** Follows the change feed for the part of the page that is marked `data-live`, while the page can be seen. */
export function startLive(): void {
  const part = document.querySelector<HTMLElement>("[data-live]");
  let cursor = part?.dataset["cursor"];
  if (part === null || cursor === undefined) return;
  const follow = part.dataset["live"] === "list" ? refreshList(part) : tellReader(part);
  let feed: EventSource | undefined;
  const open = (): void => {
    feed = new EventSource(`${EVENTS}?cursor=${encodeURIComponent(cursor ?? "")}`);
    for (const kind of KINDS) {
      feed.addEventListener(kind, (event: MessageEvent<string>) => {
        cursor = event.lastEventId;
        follow(JSON.parse(event.data) as Change);
      });
    }
    feed.addEventListener("bookmark", (event: MessageEvent<string>) => (cursor = event.lastEventId));
  };
  // A browser has few connections to one server: pages in the background leave theirs to others.
  const attend = (): void => {
    feed?.close();
    if (!document.hidden) open();
  };
  document.addEventListener("visibilitychange", attend);
  window.addEventListener("pagehide", () => feed?.close());
  attend();
}

/** The list is read anew in place. */
function refreshList(part: HTMLElement): () => void {
  let timer: number | undefined;
  const refresh = async (): Promise<void> => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-live]");
    // Whoever has the focus there would lose it.
    if (fresh !== null && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
  };
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void refresh().catch(() => undefined), SETTLE_MS);
  };
}

/** The reader of a worker type is told, and goes on reading. */
function tellReader(part: HTMLElement): (change: Change) => void {
  return (change) => {
    if (change.workerTypeId !== part.dataset["workerType"]) return;
    if (change.kind !== "worker-type-deleted" && change.revision === Number(part.dataset["revision"])) return;
    const words =
      change.kind === "worker-type-deleted"
        ? "This worker type was deleted just now."
        : `Revision ${change.revision ?? ""} was published just now.`;
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = "Show it";
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.setAttribute("role", "status");
    notice.append(`${words} `, link);
    part.querySelector(".news")?.remove();
    notice.classList.add("news");
    part.prepend(notice);
  };
}
