/** Nothing that was typed is lost: drafts beside links and other tasks, while something is published, merged, sent again. */

import type { Locator, Page } from "@playwright/test";
import { Editor } from "../fixtures/editor";
import { HISTORY } from "../fixtures/given";
import { expect, test } from "../fixtures/test";

const NEW = `/tasks/new?workerType=${HISTORY}`;

test("given a draft and a link, when one writes on what the link brought, then the draft is still offered, and can be taken", async ({ page, browser, server }) => {
  const other = await browser.newContext();
  const theirs = await Editor.open(await other.newPage(), `${server.url}${NEW}`);
  await theirs.write('{"of": "the link"}');
  await theirs.page.getByRole("button", { name: "Copy link" }).click();
  await expect(theirs.page).toHaveURL(/#json=/);
  const link = theirs.page.url();
  await other.close();

  const editor = await Editor.open(page, NEW);
  await editor.write('{"of": "my own"}');
  await page.goto("about:blank");
  await Editor.open(page, link);
  await expect(page.getByText(/There is a draft of yours/)).toBeVisible();
  expect(await editor.text()).toContain("the link");
  await editor.write('{"of": "the link, changed"}');
  await page.reload();
  await expect(editor.content).toContainText("the link, changed");
  await page.getByRole("button", { name: "Go on with the draft" }).click();
  await expect(editor.content).toContainText("my own");
  await expect(page).toHaveURL(NEW);
  await page.reload();
  await expect(editor.content).toContainText("my own");
  await page.goto("about:blank");
  await Editor.open(page, link);
  await expect(editor.content).toContainText("the link, changed");
});

test("given a draft of a new task, when another task is begun from, then each has its own", async ({ page, registry }) => {
  const from = await registry.createTask("BBBBBBBBQBmBBBBBBBBBBA", HISTORY, { command: ["from-another"] });
  const editor = await Editor.open(page, "/tasks/new");
  await editor.write('{"of": "a new task"}');
  await Editor.open(page, `/tasks/new?from=${from}`);
  await expect(editor.content).toContainText("from-another");
  await editor.write('{"of": "another task"}');
  await page.reload();
  await expect(editor.content).toContainText("another task");
  await Editor.open(page, "/tasks/new");
  await expect(editor.content).toContainText("a new task");
});

test("given a draft for another worker type, when the page opens, then it says which and from when, and the template is one button away", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  await editor.write('{"taskQueueId": "linux/container", "metadata": {"name": "Nightly"}}');
  await Editor.open(page, NEW);
  const told = page.getByText(/This is your draft of \d+ \w+ \d{4}.*, for linux\/container and not for browser\/history: “Nightly”/);
  await expect(told).toBeVisible();
  await told.getByRole("button", { name: "Start from the template" }).click();
  await expect(editor.content).toContainText(HISTORY);
  await expect(editor.content).not.toContainText("Nightly");
});

test("given a definition on its way, then nobody writes in its editor, and what a button changes stays", async ({ page, registry }) => {
  const id = "kept/locked";
  await registry.publish(id, { description: "As it was" });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.write("description: As it is sent\n");
  const release = await held(page, `**/worker-types/${id}`, "PUT");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByText("It is being published")).toBeVisible();
  await editor.content.press("ControlOrMeta+End");
  await page.keyboard.type("owner: typed-meanwhile");
  await page.getByRole("button", { name: "Insert an outline" }).click();
  release();
  const told = page.getByRole("alert").filter({ hasText: "Published as revision 2, without what was changed meanwhile" });
  await expect(told).toBeVisible();
  const text = await editor.text();
  expect(text).toContain("documentation:");
  expect(text).not.toContain("typed-meanwhile");
  expect(await registry.get(`/worker-types/${id}`)).toMatchObject({ revision: 2, definition: { description: "As it is sent" } });
  // It goes on as a change of what was published.
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  // The outline's words are nobody's.
  await page.getByRole("button", { name: "Publish it as it is" }).click();
  await expect(page).toHaveURL(`/worker-types/${id}`);
  expect(await registry.get(`/worker-types/${id}`)).toMatchObject({ revision: 3 });
});

test("given a draft written without sight of the pool, when one who may see it goes on, then the pool is added and not removed", async ({ page, registry }) => {
  const id = "kept/pool";
  const pool = { providerId: "static", config: {}, owner: "builds@example.com", emailOnError: false };
  await registry.publish(id, { description: "As it was", pool });
  // What one is shown who may not see it.
  const url = `**/api/worker-manager/v1/worker-types/${id}`;
  await page.route(url, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    const shown = (await (await route.fetch()).json()) as { definition: { pool?: unknown } };
    delete shown.definition.pool;
    return route.fulfill({ json: shown, headers: { etag: '"g1-public"' } });
  });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.write("description: Written without sight of it\n");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Not published: it would remove the pool configuration" })).toBeVisible();
  await page.unroute(url);
  await page.reload();
  await expect(page.getByText("the one that is live was added to it")).toBeVisible();
  await expect(editor.content).toContainText("Written without sight of it");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(`/worker-types/${id}`);
  expect(await registry.get(`/worker-types/${id}`)).toMatchObject({ revision: 2, definition: { description: "Written without sight of it", pool } });
});

test("given one who merges, when a third publishes, then the right side stays, and a text changed since is not replaced unasked", async ({ page, registry }) => {
  const id = "kept/merged";
  await registry.publish(id, { description: "As it was" });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.speak("JSON");
  await editor.write('{"description": "Mine"}');
  await registry.publish(id, { description: "The second's" });
  await page.getByRole("button", { name: "Show both" }).click();
  const merge = page.getByRole("region", { name: "Merge" });
  const mine = merge.getByRole("textbox", { name: "Your text" });
  await replace(page, editor, mine, '{"description": "Merged by hand"}');
  await registry.publish(id, { description: "The third's" });
  await expect(page.getByText(/Revision 3 was published since you began/)).toBeVisible();
  await page.getByRole("button", { name: "Show both" }).click();
  await expect(merge.getByRole("textbox", { name: "Live now" })).toContainText("The third's");
  await expect(merge).toHaveCount(1);
  await expect(mine).toContainText("Merged by hand");
  await editor.write('{"description": "Written above meanwhile"}');
  await merge.getByRole("button", { name: "Use the right side" }).click();
  await expect(merge.getByRole("alert")).toContainText("The text above was changed");
  await expect(editor.content).toContainText("Written above meanwhile");
  await merge.getByRole("button", { name: "Begin again with the text above" }).click();
  await expect(mine).toContainText("Written above meanwhile");
  await replace(page, editor, mine, '{"description": "Merged again"}');
  await merge.getByRole("button", { name: "Use the right side" }).click();
  await expect(merge).toHaveCount(0);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(`/worker-types/${id}`);
  expect(await registry.get(`/worker-types/${id}`)).toMatchObject({ revision: 4, definition: { description: "Merged again" } });
});

test("given a worker type that is deleted meanwhile, then one is told, and the text can bring it back", async ({ page, registry, watched }) => {
  watched.allow(/status of 41[02]/);
  const id = "kept/deleted";
  await registry.publish(id, { description: "As it was" });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.write("description: Back again\n");
  await registry.delete(id);
  const told = page.getByRole("alert").filter({ hasText: "This worker type was deleted since you began" });
  await expect(told).toBeVisible();
  // Whoever publishes all the same is told as well.
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(told).toBeVisible();
  await told.getByRole("button", { name: "Let the text bring it back" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(`/worker-types/${id}`);
  expect(await registry.get(`/worker-types/${id}`)).toMatchObject({ revision: 2, definition: { description: "Back again" } });
});

test("given a live definition that cannot be read, when both are to be shown, then one is told, and it can be tried again", async ({ page, registry, watched }) => {
  watched.allow(/ERR_FAILED/);
  const id = "kept/unread";
  await registry.publish(id, { description: "As it was" });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.write("description: Mine\n");
  await registry.publish(id, { description: "Theirs" });
  await page.route(`**/v1/worker-types/${id}`, (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Show both" }).click();
  const told = page.getByRole("alert").filter({ hasText: "What is live now could not be read: the service does not answer" });
  await told.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "Merge" })).toContainText("Theirs");
});

test("given a task whose answer is lost, when it is submitted once more, then it is the same task", async ({ page, watched }) => {
  watched.allow(/ERR_FAILED/);
  const editor = await Editor.open(page, "/tasks/new?workerType=linux/container");
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(request.url());
  });
  // The queue creates it; the page does not hear of it.
  await page.route("**/api/queue/v1/task/*", async (route) => {
    expect((await route.fetch()).status()).toBe(200);
    await route.abort();
  }, { times: 1 });
  await page.getByRole("button", { name: "Submit task" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "did not create the task: the service does not answer" })).toBeVisible();
  await page.getByRole("button", { name: "Submit task" }).click();
  await expect(page).toHaveURL(/\/tasks\/[A-Za-z0-9_-]{22}$/);
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(1);
});

/** Holds requests back until the answer is called. */
async function held(page: Page, url: string, method: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((done) => (release = done));
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

async function replace(page: Page, editor: Editor, side: Locator, text: string): Promise<void> {
  await side.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await editor.paste(text);
}
