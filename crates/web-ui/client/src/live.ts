/** Another's publish appears without a reload; what somebody reads is not taken away under their eyes. */

import { LiveList } from "./live/list";
import { LiveReader } from "./live/reader";
import { follow } from "./page/feed";

/** Follows the change feed for the part of the page that is marked `data-live`. */
export function startLive(): void {
  const part = document.querySelector<HTMLElement>("[data-live]");
  const cursor = part?.dataset["cursor"];
  if (part === null || cursor === undefined) return;
  if (part.dataset["live"] === "list") startList(part, cursor);
  else follow(cursor, new LiveReader(part));
}

function startList(part: HTMLElement, cursor: string): void {
  const list = new LiveList(part);
  follow(cursor, list);
  // Ages and what no event tells of go on also where nothing changes.
  const seconds = Number(part.dataset["every"]);
  if (seconds > 0) window.setInterval(() => document.hidden || list.tick(), seconds * 1_000);
}
