/** Following the feed: what an EventSource resumes is left to it, and where it stops for good a new cursor is taken. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Change, follow, pauseMs } from "../src/page/feed";

/** As the HTML standard has it: CLOSED after an answer that is not 200, CONNECTING while it resumes by itself. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static made: Source[] = [];
  readyState = 1;

  constructor(readonly url: string) {
    super();
    Source.made.push(this);
  }

  close(): void {
    this.readyState = Source.CLOSED;
  }

  send(kind: string, id: string, data: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(kind), { lastEventId: id, data: JSON.stringify(data) }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });
const open = (): Source[] => Source.made.filter((source) => source.readyState !== Source.CLOSED);
const cursors = (): string[] => Source.made.map((source) => new URL(source.url, "http://x").searchParams.get("cursor") ?? "");
let end: () => void = () => undefined;

function hide(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  Source.made = [];
  page.hidden = false;
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", Object.assign(new EventTarget(), { setTimeout, clearTimeout }));
});

afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("changes are told, and a page that was hidden goes on from the last", () => {
  const told: Change[] = [];
  end = follow("e:1", { changed: (change) => told.push(change), renew: () => Promise.reject(new Error("not asked")) });
  Source.made[0]?.send("worker-type-published", "e:2", { kind: "worker-type-published", revision: 7 });
  Source.made[0]?.send("bookmark", "e:5");
  expect(told).toEqual([{ kind: "worker-type-published", revision: 7 }]);
  hide(true);
  expect(open()).toEqual([]);
  hide(false);
  expect(cursors()).toEqual(["e:1", "e:5"]);
  hide(false);
  expect(open()).toHaveLength(1);
});

test("a break that the EventSource mends by itself is left to it", async () => {
  const renew = vi.fn(() => Promise.resolve("e:9"));
  end = follow("e:1", { changed: () => undefined, renew });
  Source.made[0]?.fail(0);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([renew.mock.calls.length, Source.made.length]).toEqual([0, 1]);
});

test("where it stops for good, a new cursor is taken after a pause; it is asked for again until there is one", async () => {
  const answers = [Promise.reject(new Error("503")), Promise.reject(new Error("503")), Promise.resolve("e:40")];
  answers.forEach((answer) => void answer.catch(() => undefined));
  const renew = vi.fn(() => answers.shift() ?? Promise.resolve("e:41"));
  end = follow("e:1", { changed: () => undefined, renew });
  Source.made[0]?.fail(Source.CLOSED);
  expect(renew).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000);
  expect([renew.mock.calls.length, cursors()]).toEqual([3, ["e:1", "e:40"]]);
});

test("nothing is asked while the page is hidden, and at once when it is seen again", async () => {
  const renew = vi.fn(() => Promise.resolve("e:40"));
  end = follow("e:1", { changed: () => undefined, renew });
  Source.made[0]?.fail(Source.CLOSED);
  hide(true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(renew).not.toHaveBeenCalled();
  hide(false);
  await vi.advanceTimersByTimeAsync(0);
  expect(cursors()).toEqual(["e:1", "e:40"]);
});

test("it ends where there is nothing left to follow, and where its page says so", async () => {
  end = follow("e:1", { changed: () => undefined, renew: () => Promise.resolve(null) });
  Source.made[0]?.fail(Source.CLOSED);
  await vi.advanceTimersByTimeAsync(120_000);
  hide(false);
  expect(Source.made).toHaveLength(1);
  const renew = vi.fn(() => Promise.resolve("e:1"));
  const other = follow("e:1", { changed: () => undefined, renew });
  other();
  hide(true);
  hide(false);
  expect([open(), renew.mock.calls.length]).toEqual([[], 0]);
});

test("pauses double up to a minute, and are half of that at least", () => {
  expect([0, 1, 5, 6, 50].map((failures) => pauseMs(failures, 1))).toEqual([1_000, 2_000, 32_000, 60_000, 60_000]);
  expect(pauseMs(6, 0)).toBe(30_000);
});
