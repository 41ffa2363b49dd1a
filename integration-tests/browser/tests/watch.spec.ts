/** The watch over pages is itself tested: it tells of each kind of fault, and of nothing on a page that has none. */

import { expect, test } from "../fixtures/test";

const FAULTS: { what: string; provoke: () => void; told: RegExp }[] = [
  { what: "an error on the console", provoke: () => console.error("lost"), told: /^console: lost/ },
  {
    what: "an error in a script",
    provoke: () => setTimeout(() => { throw new Error("thrown later"); }),
    told: /^error in a script: Error: thrown later/,
  },
  {
    what: "a rejection that nobody handles",
    provoke: () => void Promise.reject(new Error("not handled")),
    told: /^error in a script: Error: not handled/,
  },
  {
    what: "something that the policy forbids",
    provoke: () => document.body.setAttribute("onclick", "alert(1)"),
    told: /policy violated: script-src-attr/,
  },
  { what: "a file that is missing", provoke: () => void fetch("/assets/none.js"), told: /status of 404.*none\.js/ },
];

for (const { what, provoke, told } of FAULTS) {
  test(`given ${what}, then the watch tells of it`, async ({ page, watched }) => {
    await page.goto("/");
    expect(watched.found()).toEqual([]);
    await page.evaluate(provoke);
    await expect.poll(() => watched.found().filter((fault) => told.test(fault)).length).toBeGreaterThan(0);
    watched.take();
  });
}

test("given a request to another origin, then the watch tells of it", async ({ page, server, watched }) => {
  await page.route("https://example.com/**", (route) => route.fulfill({ body: "" }));
  await page.goto("/");
  await page.evaluate(() => open("https://example.com/elsewhere"));
  await expect.poll(() => watched.found()).toContain("a request to another origin: https://example.com/elsewhere");
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  watched.take();
});
