/**
 * Follows the change feed for one page: while the page can be seen, and beyond what an EventSource survives.
 *
 * An EventSource resumes by itself after a break of the connection, and stops for good at any answer that is not 200:
 * a cursor that is no longer kept (410), a service that is away (503). Then the page is asked for a new cursor, after a
 * pause that grows.
 */

export interface Change {
  readonly kind: string;
  readonly workerTypeId?: string;
  readonly generation?: number;
  readonly revision?: number;
}

export interface Follower {
  changed(change: Change): void;
  /**
   * A new cursor. What changed since the old one is not told any more: whoever gives the new one looks for it.
   * None where there is nothing left to follow; it is asked again where it rejects.
   */
  renew(): Promise<string | null>;
}

const EVENTS = "/api/worker-manager/v1/events";
const KINDS = [
  "worker-type-published",
  "worker-type-rolled-back",
  "rollout-started",
  "rollout-completed",
  "rollout-aborted",
  "worker-type-deleted",
] as const;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Begins behind `cursor`, or with a new one where there is none; the answer ends it. */
export function follow(cursor: string | null, follower: Follower): () => void {
  const feed = new Feed(cursor, follower);
  return () => feed.end();
}

/** Before the attempt after so many in vain: twice as long each time, and not at the same moment on every page. */
export function pauseMs(failures: number, random = Math.random()): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + random / 2);
}

class Feed {
  private source: EventSource | null = null;
  private timer: number | undefined;
  private failures = 0;
  private renewing = false;
  private readonly over = new AbortController();

  constructor(private cursor: string | null, private readonly follower: Follower) {
    const { signal } = this.over;
    document.addEventListener("visibilitychange", () => this.attend(), { signal });
    window.addEventListener("pageshow", () => this.attend(), { signal });
    window.addEventListener("pagehide", () => this.close(), { signal });
    this.attend();
  }

  end(): void {
    this.over.abort();
    this.close();
  }

  /** A browser has few connections to one server: pages in the background leave theirs to others. */
  private attend(): void {
    if (document.hidden) this.close();
    else if (this.cursor === null) void this.renew();
    else this.open(this.cursor);
  }

  private close(): void {
    window.clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  private open(cursor: string): void {
    if (this.source !== null || this.over.signal.aborted) return;
    const source = new EventSource(`${EVENTS}?cursor=${encodeURIComponent(cursor)}`);
    this.source = source;
    for (const kind of KINDS) {
      source.addEventListener(kind, (event: MessageEvent<string>) => {
        this.cursor = event.lastEventId;
        this.follower.changed(JSON.parse(event.data) as Change);
      });
    }
    source.addEventListener("bookmark", (event: MessageEvent<string>) => {
      this.cursor = event.lastEventId;
      this.failures = 0;
    });
    source.addEventListener("error", () => {
      if (source === this.source && source.readyState === EventSource.CLOSED) this.lost();
    });
  }

  private lost(): void {
    this.close();
    this.cursor = null;
    const pause = pauseMs(this.failures);
    this.failures += 1;
    if (!document.hidden && !this.over.signal.aborted) this.timer = window.setTimeout(() => void this.renew(), pause);
  }

  private async renew(): Promise<void> {
    if (this.renewing) return;
    window.clearTimeout(this.timer);
    this.renewing = true;
    const cursor = await this.follower.renew().catch(() => undefined);
    this.renewing = false;
    if (cursor === null) return this.end();
    if (cursor === undefined) return this.lost();
    this.cursor = cursor;
    this.attend();
  }
}
