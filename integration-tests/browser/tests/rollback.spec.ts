/** Going back to an earlier revision: what it would do is read first, then it is done with a message. */

import { HISTORY } from "../fixtures/given";
import { looksRight } from "../fixtures/looks";
import type { Definition, Registry } from "../fixtures/registry";
import { expect, test } from "../fixtures/test";

/** Two revisions; the second takes what the first refuses. */
async function twice(registry: Registry, id: string, more: Partial<Definition> = {}): Promise<void> {
  const taking = (maximum: number): Definition => ({
    ...more,
    description: `At most ${maximum}`,
    variants: [{ name: "default", payloadSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: { maxRunTime: { type: "integer", maximum } } } }],
  });
  await registry.publish(id, taking(3600));
  await registry.publish(id, taking(7200));
}

test("given a history, when one goes back, then what it does is read first, and the message is in the history", async ({ page, registry }) => {
  const id = "browser/rolled-back";
  await twice(registry, id);
  await page.goto(`/worker-types/${id}/revisions`);
  await page.getByRole("link", { name: "Roll back to revision 1…" }).click();
  const main = page.locator("main");
  await expect(main).toContainText("Revision 2 is live.");
  await expect(main).toContainText("are refused after it");
  // The witness is one that what is live takes.
  const witness = JSON.parse((await page.locator("pre[data-copy] code").first().textContent()) ?? "null") as never;
  expect(await registry.send("POST", `/worker-types/${id}/validate`, { payload: witness })).toMatchObject({ verdict: "valid" });
  await looksRight(page, "rollback");
  await page.getByLabel("Why it is done").fill("it was better");
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(page.getByRole("link", { name: "Revision 3" })).toBeVisible();
  await expect(main).toContainText("it was better");
  await expect(main).toContainText("brings back revision 1");
  // The first says again what is live.
  await expect(page.getByRole("link", { name: /^Roll back/ })).toHaveText(["Roll back to revision 2…"]);
  expect(await registry.send("POST", `/worker-types/${id}/validate`, { payload: witness })).toMatchObject({ verdict: "invalid" });
});

test("given compatibility that is required, when one goes back all the same, then one has to say why", async ({ page, registry }) => {
  const id = "browser/rolled-back-required";
  await twice(registry, id, { compatibility: "require" });
  await page.goto(`/worker-types/${id}?revision=1`);
  await page.getByRole("link", { name: "Roll back to revision 1…" }).click();
  await expect(page.locator("main")).toContainText("Compatibility is required here, and tasks that are accepted now would be refused");
  const button = page.getByRole("button", { name: "Roll back to revision 1 all the same" });
  await button.click();
  await expect(page.getByLabel("Why it is done")).toBeFocused();
  await page.getByLabel("Why it is done").fill("the larger machines are gone");
  await button.click();
  await expect(page.locator("main")).toContainText("the larger machines are gone");
  await expect(page.getByRole("listitem").filter({ hasText: "Revision 3" })).toContainText("breaking");
});

test("given another who publishes meanwhile, when one goes back, then nothing is overwritten", async ({ page, registry, watched }) => {
  watched.allow(/status of 412/);
  const id = "browser/rolled-back-late";
  await twice(registry, id);
  await page.goto(`/worker-types/${id}/diff?from=2&to=1`);
  await registry.publish(id, { description: "As another wants it" });
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await expect(page.locator("main")).toContainText("Revision 1 was not made live again");
  await page.getByRole("link", { name: "See what is live now" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Revision 3" })).toContainText("live");
});

test("given a revision that says what is live, or a difference between others, then going back is not offered", async ({ page }) => {
  for (const between of ["from=1&to=2", "from=2&to=1", "from=3&to=3"]) {
    await page.goto(`/worker-types/${HISTORY}/diff?${between}`);
    await expect(page.locator("h1")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Roll back/ }), between).toHaveCount(0);
  }
  await page.goto(`/worker-types/${HISTORY}?revision=3`);
  await expect(page.getByRole("link", { name: /^Roll back/ })).toHaveCount(0);
});

test("given a reader who needs a token, when a revision is made live again, then worker-manager's is asked for and sent", async ({ page, registry, watched }) => {
  watched.allow(/status of 401/);
  const id = "browser/rolled-back-with-token";
  await twice(registry, id);
  await page.route("**/rollback", (route) => route.fulfill({ status: 401, contentType: "application/problem+json", body: problem(401, "a token is needed here") }), { times: 1 });
  await page.goto(`/worker-types/${id}/diff?from=2&to=1`);
  const button = page.getByRole("button", { name: "Roll back to revision 1" });
  await button.click();
  const form = page.getByRole("form", { name: "Give a token" });
  await expect(form).toContainText("a token is needed here");
  await expect(button).toBeEnabled();
  await form.getByLabel("Access token for worker-manager").fill("secret");
  const asked = page.waitForRequest("**/rollback");
  await form.getByRole("button", { name: "Use this token" }).click();
  expect((await asked).headers()["authorization"]).toBe("Bearer secret");
  await expect(page.getByRole("link", { name: "Revision 3" })).toBeVisible();
  // The queue gets none of it.
  const verdicts = page.waitForRequest("**/payload-verdicts");
  await page.goto(`/worker-types/${id}`);
  expect((await verdicts).headers()["authorization"]).toBeUndefined();
});

test("given a service that does not answer, when one goes back, then it says so, and can be tried again", async ({ page, watched }) => {
  watched.allow(/ERR_FAILED/);
  await page.route("**/rollback", (route) => route.abort());
  await page.goto(`/worker-types/${HISTORY}/diff?from=3&to=1`);
  const button = page.getByRole("button", { name: "Roll back to revision 1" });
  await button.click();
  await expect(page.getByText("Revision 1 was not made live again: the service does not answer. Try again.")).toBeVisible();
  await expect(button).toBeEnabled();
});

/** As RFC 9457 has it, with the service's own members. */
function problem(status: number, detail: string): string {
  return JSON.stringify({ type: "about:blank", problem: "unauthorised", title: "Not allowed", status, detail, errors: [] });
}
