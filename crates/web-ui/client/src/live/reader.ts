/** The reader of a worker type is told of a change, and goes on reading. */

import { UNKNOWN, changeWords } from "../page/change-words";
import { el } from "../page/dom";
import type { Change, Follower } from "../page/feed";
import { Missing, livePart } from "./part";

export class LiveReader implements Follower {
  /** The last that is known of: the end of a rollout changes what is live, and not always its newest revision. */
  private generation: number;

  constructor(private readonly part: HTMLElement) {
    // The page of a deleted worker type's revision has none: every change is newer.
    this.generation = Number(part.dataset["generation"] ?? 0);
  }

  changed(change: Change): void {
    if (change.workerTypeId !== this.part.dataset["workerType"]) return;
    this.hear(change, "just now");
  }

  async renew(): Promise<string | null> {
    try {
      const { revision, generation, cursor } = (await livePart(location.pathname)).dataset;
      if (cursor === undefined) throw new Error("the page has no cursor");
      this.hear({ kind: UNKNOWN, generation: Number(generation), revision: Number(revision) }, "meanwhile");
      return cursor;
    } catch (error) {
      if (!(error instanceof Missing && error.status === 410)) throw error;
      this.tell(changeWords({ kind: "worker-type-deleted" }, "meanwhile"));
      return null;
    }
  }

  private hear(change: Change, when: string): void {
    // The page may have been read after a change that the feed still tells of.
    if (change.generation !== undefined && change.generation <= this.generation) return;
    this.generation = change.generation ?? this.generation;
    this.tell(changeWords(change, when));
  }

  private tell(words: string): void {
    this.part.querySelector(".news")?.remove();
    this.part.prepend(el("p", { class: "notice news", role: "status" }, `${words} `, el("a", { href: location.pathname }, "Show it")));
  }
}
