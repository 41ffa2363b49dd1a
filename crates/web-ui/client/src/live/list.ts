/** A list is read anew in place when something changed. */

import { el } from "../page/dom";
import type { Follower } from "../page/feed";
import { livePart } from "./part";

/** Changes that come together are one. */
const SETTLE_MS = 300;
/** After an answer that did not come. */
const RETRY_MS = 10_000;

export class LiveList implements Follower {
  private timer: number | undefined;
  private running: AbortController | undefined;
  private heldBack = false;

  private again: number | undefined;
  /** How old an answer may be: one that comes at once may be from before the change. */
  private readonly staleMs: number;
  /** When the page was last what the server says. */
  private freshAt = new Date();

  constructor(private readonly part: HTMLElement) {
    this.staleMs = Number(part.dataset["stale"] ?? 0) * 1_000;
  }

  changed(): void {
    this.soon(SETTLE_MS);
    if (this.staleMs === 0) return;
    window.clearTimeout(this.again);
    this.again = window.setTimeout(() => this.soon(0), this.staleMs + SETTLE_MS);
  }

  /** Time has passed, and nothing is known to have changed. */
  tick(): void {
    this.soon(SETTLE_MS);
  }

  async renew(): Promise<string> {
    window.clearTimeout(this.timer);
    const fresh = await this.fetch();
    this.show(fresh);
    const { cursor } = fresh.dataset;
    if (cursor === undefined) throw new Error("the list has no cursor");
    return cursor;
  }

  private soon(delayMs: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.refresh(), delayMs);
  }

  private async refresh(): Promise<void> {
    try {
      this.show(await this.fetch());
    } catch (error) {
      // A newer question ended this one.
      if (error instanceof DOMException && error.name === "AbortError") return;
      this.tellAway();
      this.soon(RETRY_MS);
    }
  }

  /** What the address of the page leads to now: a search meanwhile is asked about once more. */
  private async fetch(): Promise<HTMLElement> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    for (;;) {
      const asked = location.href;
      const fresh = await livePart(asked, running.signal);
      if (location.href === asked) return fresh;
    }
  }

  /** What stands there looks as if it were of now. */
  private tellAway(): void {
    if (this.part.querySelector(".away") !== null) return;
    const since = this.freshAt.toISOString().slice(11, 19);
    this.part.prepend(el("p", { class: "notice warning away", role: "status" }, `This server does not answer: what you read is as of ${since} (UTC). It is asked again every ${RETRY_MS / 1_000} seconds.`));
  }

  private show(fresh: HTMLElement): void {
    this.freshAt = new Date();
    this.part.querySelector(".away")?.remove();
    if (!this.part.contains(document.activeElement)) {
      this.part.replaceChildren(...fresh.childNodes);
      return;
    }
    // Whoever has the focus there would lose it: it is read anew when the focus leaves.
    if (this.heldBack) return;
    this.heldBack = true;
    this.part.addEventListener("focusout", () => {
      this.heldBack = false;
      this.soon(0);
    }, { once: true });
  }
}
