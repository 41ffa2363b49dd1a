/** What a page hears of others while it is open: also after the feed was refused, and never over what one does there. */

import type { Page, Request } from "@playwright/test";
import { Editor } from "../fixtures/editor";
import { expect, test } from "../fixtures/test";

const EVENTS = "**/api/worker-manager/v1/events?*";

/** The feed's first answer is that the cursor is not kept any more; an EventSource ends at that for good. */
async function refuseFeedOnce(page: Page): Promise<void> {
  await page.route(EVENTS, (route) => route.fulfill({ status: 410, contentType: "application/problem+json", body: "{}" }), { times: 1 });
}

test("given a cursor that is gone, then the list is read anew, and goes on from there", async ({ page, registry, watched }) => {
  watched.allow(/status of 410.*events/);
  await refuseFeedOnce(page);
  const refused = page.waitForResponse((answer) => answer.status() === 410);
  await page.goto("/?query=refused-once");
  await refused;
  // Nothing tells of this one: it is in the list that comes with the new cursor.
  await registry.publish("browser/gap", { description: "In the gap, refused-once" });
  await expect(page.getByRole("rowheader")).toHaveText([/browser\/gap/]);
  await registry.publish("browser/gap-after", { description: "After it, refused-once" });
  await expect(page.getByRole("rowheader")).toHaveCount(2);
});

test("given a cursor that is gone, then the reader of a worker type is told what came in between", async ({ page, registry, watched }) => {
  watched.allow(/status of 410.*events/);
  await registry.publish("browser/gap-read", { description: "As it was read" });
  await refuseFeedOnce(page);
  const refused = page.waitForResponse((answer) => answer.status() === 410);
  await page.goto("/worker-types/browser/gap-read");
  await refused;
  await registry.publish("browser/gap-read", { description: "As it is now" });
  await expect(page.getByRole("status").filter({ hasText: /What is live was changed meanwhile: it is revision 2 now/ })).toBeVisible();
});

test("given a cursor that is gone, then the editor of a definition is told what came in between", async ({ page, registry, watched }) => {
  watched.allow(/status of 410.*events/);
  await registry.publish("browser/gap-edit", { description: "As it was" });
  await refuseFeedOnce(page);
  const refused = page.waitForResponse((answer) => answer.status() === 410);
  await Editor.open(page, "/worker-types/browser/gap-edit/edit", "Definition");
  await refused;
  await registry.publish("browser/gap-edit", { description: "As it is now" });
  await expect(page.getByText(/What is live was changed since you began: it is revision 2 now/)).toBeVisible();
});

test("given a page in the background, then its feed is closed; in front it goes on", async ({ page, registry }) => {
  const id = "browser/background";
  await registry.publish(id, { description: "As it was" });
  const begun = page.waitForResponse((answer) => isFeed(answer.request()));
  const ended = page.waitForEvent("requestfailed", isFeed);
  await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await begun;
  await setHidden(page, true);
  await ended;
  await registry.publish(id, { description: "Meanwhile" });
  await setHidden(page, false);
  await expect(page.getByText(/Revision 2 was published since you began/)).toBeVisible();
});

test("given the focus in the list, when another publishes, then it stays until the focus leaves", async ({ page, registry }) => {
  await registry.publish("browser/focused", { description: "Has-the-focus" });
  await page.goto("/?query=has-the-focus");
  const link = page.getByRole("rowheader").getByRole("link");
  await link.focus();
  const read = page.waitForResponse((answer) => answer.url().endsWith("query=has-the-focus"));
  await registry.publish("browser/focused-too", { description: "Has-the-focus too" });
  await read;
  await expect(link).toBeFocused();
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search" }).focus();
  await expect(page.getByRole("rowheader")).toHaveCount(2);
});

test("given a search meanwhile, then an older address's answer does not take the place of its results", async ({ page, registry }) => {
  await page.goto("/?query=older-address");
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/?query=older-address", async (route) => {
    await held;
    await route.continue();
  }, { times: 1 });
  const asked = page.waitForRequest("**/?query=older-address");
  await registry.publish("browser/older-address", { description: "Has older-address in it" });
  await asked;
  await page.getByRole("searchbox", { name: "Search" }).fill("notarise");
  await expect(page.getByRole("rowheader")).toHaveText([/signing\/packages/]);
  const late = page.waitForResponse("**/?query=older-address");
  const again = page.waitForResponse("**/?query=notarise");
  release();
  await late;
  // The list is asked for once more, for the address that the page has now.
  await again;
  await expect(page.getByRole("rowheader")).toHaveText([/signing\/packages/]);
});

function isFeed(request: Request): boolean {
  return request.url().includes("/v1/events?");
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}
