/** Drafts: what began elsewhere has its own, and none overwrites another's. */

import { beforeEach, expect, test, vi } from "vitest";
import { Drafts } from "../src/page/draft";
import { nameOf } from "../src/page/share";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

const written = (text: string) => ({ text, language: "json", base: "" }) as const;

test("given a draft of the page, when what a link or another task brought is written on, then the draft stays", () => {
  const page = new Drafts("task", "");
  expect(page.save(written("mine"))).toBe(true);
  for (const origin of ["from:fN1SbArXTPSVFNUvaOlinQ", "from:AAAAAAAAQAmAAAAAAAAAAA", `link:${nameOf("#json=abc")}`]) {
    const other = new Drafts("task", "", origin);
    expect(other.load()).toBeNull();
    expect(other.save(written(origin))).toBe(true);
    expect(new Drafts("task", "", origin).load()?.text).toBe(origin);
  }
  expect(new Drafts("task", "").load()?.text).toBe("mine");
});

test("given a newer draft of another tab, then it is overwritten only by who claims it", () => {
  vi.useFakeTimers({ now: 1_000 });
  const [one, other] = [new Drafts("task", "p/w"), new Drafts("task", "p/w")];
  one.save(written("one"));
  vi.setSystemTime(2_000);
  other.load();
  other.save(written("other"));
  expect(one.save(written("one more"))).toBe(false);
  expect(one.load()?.text).toBe("other");
  one.claim();
  expect(one.save(written("one more"))).toBe(true);
  vi.useRealTimers();
});

test("links are told apart by what they hold", () => {
  expect(nameOf("#json=abc")).toBe(nameOf("#json=abc"));
  expect(new Set(["#json=abc", "#json=abd", "#yaml=abc", "#json=acb"].map(nameOf)).size).toBe(4);
});
