/** Every page that is read: how it looks in each theme and width, what axe finds, and that it needs no script. */

import { BARE, DELETED, HISTORY, OLD } from "../fixtures/given";
import { looksRight } from "../fixtures/looks";
import { expect, test } from "../fixtures/test";

interface Reading {
  /** In the names of tests and screenshots. */
  name: string;
  path: string;
  status?: number;
  /** What anybody must find there, with script or without. */
  says: readonly (string | RegExp)[];
}

const PAGES: readonly Reading[] = [
  // Other tests publish, too: what begins late in the alphabet may be on the next page.
  { name: "list", path: "/", says: ["Worker types", "browser/old", "deprecated"] },
  { name: "list-of-one", path: "/?provisionerId=linux", says: ["linux/container", "Linux x86-64 containers", "1 worker type"] },
  { name: "list-found", path: "/?query=signing&provisionerId=signing", says: ["signing/packages", "1 worker type"] },
  { name: "list-of-nothing", path: "/?query=nothing-has-this-word", says: ["0 worker types"] },
  {
    name: "worker-type",
    path: "/worker-types/linux/container",
    says: ["linux/container", "container-worker", "44.2.0", "What runs here", "Documentation", "maxRunTime", /required/],
  },
  { name: "worker-type-with-choices", path: "/worker-types/signing/packages", says: ["signing/packages", "test-key"] },
  { name: "worker-type-pinned", path: `/worker-types/${HISTORY}?revision=1`, says: [HISTORY, "7200"] },
  { name: "worker-type-deprecated", path: `/worker-types/${OLD}`, says: [OLD, "Ends with this year", "linux/container"] },
  { name: "worker-type-bare", path: `/worker-types/${BARE}`, says: [BARE, "Nobody has said more yet"] },
  { name: "revisions", path: `/worker-types/${HISTORY}/revisions`, says: ["an hour is enough", "say so", /breaking/i] },
  { name: "diff", path: `/worker-types/${HISTORY}/diff?from=1&to=2`, says: ["7200", "3600", /breaking/i] },
  { name: "implementations", path: "/implementations", says: ["container-worker", "native-worker"] },
  { name: "implementation", path: "/implementations/container-worker", says: ["container-worker", "44.2.0"] },
  { name: "release", path: "/implementations/container-worker/44.2.0", says: ["maxRunTime", "linux/container"] },
  { name: "status", path: "/status", says: ["Open rollouts", "Last changes", "Servers", "SQLite", "Readers connected here", /worker types live/] },
  { name: "table-of-problems", path: "/problems", says: ["precondition-failed", "upstream-unreachable", "502"] },
  { name: "problem", path: "/problems/upstream-unreachable", says: ["upstream-unreachable", "502"] },
  { name: "missing-worker-type", path: "/worker-types/linux/contaner", status: 404, says: ["did you mean", "linux/container"] },
  { name: "missing-release", path: "/implementations/container-worker/44.2.1", status: 404, says: ["44.2.1"] },
  { name: "missing-page", path: "/nothing/here", status: 404, says: ["All worker types"] },
  { name: "deleted", path: `/worker-types/${DELETED}`, status: 410, says: [/deleted/] },
];

for (const { name, path, status = 200, says } of PAGES) {
  test.describe(name, () => {
    test.beforeEach(({ watched }) => {
      if (status !== 200) watched.allow(new RegExp(`status of ${status} .*${path.split("?")[0]}`));
    });

    test(`${name} looks right in light and dark, narrow and wide`, async ({ page }) => {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(status);
      await looksRight(page, name);
    });

    test(`${name} reads without script`, async ({ plain }) => {
      const answer = await plain.goto(path);
      expect(answer?.status()).toBe(status);
      await expect(plain.locator("h1")).toHaveCount(1);
      await expect(plain.locator("h1")).toBeVisible();
      const text = await plain.locator("main").innerText();
      for (const words of says) expect(text).toMatch(words instanceof RegExp ? words : new RegExp(escaped(words), "i"));
    });
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
