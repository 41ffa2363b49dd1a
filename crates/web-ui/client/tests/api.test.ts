/** Which service an address asks, and that each is sent its own token only. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask, serviceOf } from "../src/page/api";

const ORIGIN = "https://ci.example.com";

test.each([
  ["/api/worker-manager/v1/worker-types/p/w", "/api/worker-manager"],
  ["/api/queue/v1/task/x", "/api/queue"],
  [`${ORIGIN}/api/queue/v1/task/x`, "/api/queue"],
  ["/preview", "/api/worker-manager"],
  ["/tasks/check", "/api/worker-manager"],
  ["/api/queue-of-others/v1", null],
  ["/api/auth/v1/ping", null],
  ["https://elsewhere.example.com/api/queue/v1/task/x", null],
  ["//elsewhere.example.com/preview", null],
  ["/api/queue/../worker-manager/v1/events", "/api/worker-manager"],
])("%s", (url, service) => expect(serviceOf(url, ORIGIN)).toBe(service));

beforeEach(() => vi.stubGlobal("location", { origin: ORIGIN }));
afterEach(() => vi.unstubAllGlobals());

test("a token goes to the service that it was given for", async () => {
  const kept = new Map([["token:/api/queue", "of-the-queue"]]);
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null });
  const sent: (string | undefined)[] = [];
  vi.stubGlobal("fetch", (_: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers["authorization"]);
    return Promise.resolve(new Response("{}"));
  });
  for (const url of ["/api/queue/v1/ping", "/api/worker-manager/v1/ping", "/preview"]) await ask(url);
  expect(sent).toEqual(["Bearer of-the-queue", undefined, undefined]);
});
