/** The reader of a worker type is told of a change, and goes on reading. */

import { el } from "../page/dom";
import type { Change, Follower } from "../page/feed";
import { Missing, livePart } from "./part";

export class LiveReader implements Follower {
  /** What is live, as far as it was told; none on the page of an older revision. */
  private live: number | null;

  constructor(private readonly part: HTMLElement) {
    this.live = new URLSearchParams(location.search).has("revision") ? null : Number(part.dataset["revision"]);
  }

  changed({ kind, workerTypeId, revision }: Change): void {
    if (workerTypeId !== this.part.dataset["workerType"]) return;
    if (kind === "worker-type-deleted") this.tell("This worker type was deleted just now.");
    else if (revision !== Number(this.part.dataset["revision"])) this.tell(`Revision ${revision ?? ""} was published just now.`);
    this.live = revision ?? null;
  }

  async renew(): Promise<string | null> {
    try {
      const { revision, cursor } = (await livePart(location.pathname)).dataset;
      if (cursor === undefined) throw new Error("the page has no cursor");
      if (this.live !== null && this.live !== Number(revision)) this.tell(`Revision ${revision ?? ""} was published meanwhile.`);
      this.live = Number(revision);
      return cursor;
    } catch (error) {
      if (!(error instanceof Missing && error.status === 410)) throw error;
      this.tell("This worker type was deleted meanwhile.");
      return null;
    }
  }

  private tell(words: string): void {
    this.part.querySelector(".news")?.remove();
    this.part.prepend(el("p", { class: "notice news", role: "status" }, `${words} `, el("a", { href: location.pathname }, "Show it")));
  }
}
