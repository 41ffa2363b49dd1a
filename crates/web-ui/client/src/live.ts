/** Another's publish appears without a reload; what somebody reads is not taken away under their eyes. */

import { LiveList } from "./live/list";
import { LiveReader } from "./live/reader";
import { follow } from "./page/feed";

/** Follows the change feed for the part of the page that is marked `data-live`. */
export function startLive(): void {
  const part = document.querySelector<HTMLElement>("[data-live]");
  const cursor = part?.dataset["cursor"];
  if (part === null || cursor === undefined) return;
  follow(cursor, part.dataset["live"] === "list" ? new LiveList(part) : new LiveReader(part));
}
