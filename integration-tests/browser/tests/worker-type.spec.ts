/** The page of one worker type: what its schema asks, its examples, its links, and what it tells while one reads. */

import { HISTORY } from "../fixtures/given";
import { expect, test } from "../fixtures/test";

const PAGE = "/worker-types/linux/container";

test("given the reference, when a property is filtered, then it and what holds it stay", async ({ page }) => {
  await page.goto(PAGE);
  const properties = page.locator(".reference .property");
  const all = await properties.count();
  expect(all).toBeGreaterThan(10);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("exit status");
  const shown = properties.filter({ visible: true });
  await expect.poll(() => shown.count()).toBeLessThan(all);
  await expect(shown.filter({ hasText: "onExitStatus" }).first()).toBeVisible();
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("");
  await expect.poll(() => shown.count()).toBe(await properties.filter({ visible: true }).count());
});

test("given a link to a property, when it is opened, then the property is in view, also inside a fold", async ({ page }) => {
  await page.goto(PAGE);
  const ids = await page.locator(".reference .property").evaluateAll((all) => all.map((one) => one.id));
  const deepest = ids.reduce((one, other) => (other.split(".").length > one.split(".").length ? other : one));
  await page.goto(`${PAGE}#${deepest}`);
  await expect(page.locator(`[id="${deepest}"]`)).toBeInViewport();
});

test("given the examples, then the service itself accepts each of them", async ({ page, registry }) => {
  for (const id of ["linux/container", "desktop/ubuntu", "desktop/windows", "hardware/phone-lab"]) {
    await page.goto(`/worker-types/${id}`);
    const examples = await page.locator("details.example code").allTextContents();
    expect(examples.length, id).toBeGreaterThan(0);
    for (const text of examples) {
      const example = JSON.parse(text) as Record<string, never>;
      const body = "payload" in example ? { task: example } : { payload: example };
      const verdict = (await registry.send("POST", `/worker-types/${id}/validate`, body)) as { verdict: string; errors: never[] };
      expect(verdict, `${id}: ${text}`).toMatchObject({ errors: [] });
      expect(["valid", "unchecked"], `${id}: ${text}`).toContain(verdict.verdict);
    }
  }
});

test("given a schema that names its draft, then the reference says that one", async ({ page }) => {
  await page.goto(`/worker-types/${HISTORY}`);
  await expect(page.locator("section.contract")).toContainText("JSON Schema, 2020-12");
});

test("given an example, when it is copied, then the clipboard holds it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(PAGE);
  const example = page.locator("details.example[open]").first();
  await example.getByRole("button", { name: "Copy" }).click();
  await expect(example.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toEqual(JSON.parse((await example.locator("code").textContent()) ?? ""));
});

test("given a reader, when another publishes, then they are told and keep what they read", async ({ page, registry }) => {
  await registry.publish("browser/read", { description: "As it was read" });
  await page.goto("/worker-types/browser/read");
  await registry.publish("browser/read", { description: "As it is now" });
  const told = page.getByRole("status").filter({ hasText: "Revision 2 was published just now" });
  await expect(told).toBeVisible();
  await expect(page.locator("main")).toContainText("As it was read");
  await told.getByRole("link", { name: "Show it" }).click();
  await expect(page.locator("main")).toContainText("As it is now");
});

test("given every link of the table of contents, then it leads to something on the page", async ({ page }) => {
  for (const id of ["linux/container", "signing/packages", "desktop/windows"]) {
    await page.goto(`/worker-types/${id}`);
    const dead = await page.locator("nav.toc a, .markdown a[href^='#']").evaluateAll((links) =>
      links
        .map((link) => decodeURIComponent((link as HTMLAnchorElement).hash.slice(1)))
        .filter((target) => document.getElementById(target) === null),
    );
    expect(dead, id).toEqual([]);
  }
});

test("given an address whose hash is no percent-encoding, then everything on the page works all the same", async ({ page }) => {
  await page.goto(`${PAGE}#100%`);
  await expect(page.getByRole("searchbox", { name: /^Filter/ })).toBeVisible();
});

test("given a queue that does not answer, then a summary of verdicts says so, and can be tried again", async ({ page, watched }) => {
  watched.allow(/ERR_FAILED/);
  await page.route("**/payload-verdicts", (route) => route.abort(), { times: 1 });
  await page.goto(PAGE);
  const section = page.getByRole("region", { name: "Is it safe to enforce?" });
  await expect(section).toContainText("The queue did not say: the service does not answer.");
  await section.getByRole("button", { name: "Ask again" }).click();
  await expect(section).toContainText(/seven days/);
});

test("given two revisions, when their difference is read, then the witness is one that only the older takes", async ({ page, registry }) => {
  await page.goto(`/worker-types/${HISTORY}/diff?from=1&to=2`);
  const witness = JSON.parse((await page.locator("pre[data-copy] code").first().textContent()) ?? "null") as never;
  const verdict = (await registry.send("POST", `/worker-types/${HISTORY}/validate`, { payload: witness })) as { verdict: string };
  expect(verdict.verdict).toBe("invalid");
  await expect(page.locator("main")).toContainText("/properties/maxRunTime/maximum");
});
