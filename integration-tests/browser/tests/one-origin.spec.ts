/** Pages ask one origin, wherever the queue runs; without one they say so and keep working. */

import { Editor } from "../fixtures/editor";
import { Registry } from "../fixtures/registry";
import { SERVE } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

const ID = "routed/worker";
const DEFINITION = {
  description: "Runs what it is told",
  validation: "enforce",
  variants: [{ name: "default", payloadSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    required: ["command"],
    properties: { command: { type: "string" } },
  } }],
};

test("given a queue in another process, when a task is submitted, then it passes through the pages' origin", async ({ page, server, another }) => {
  const front = await another((folder) => [...SERVE(folder), "--route", `/api/queue=${server.url}`]);
  for (const url of [front.url, server.url]) await new Registry(() => url).publish(ID, DEFINITION);
  await Editor.open(page, `${front.url}/tasks/new?workerType=${ID}`);
  await page.getByRole("button", { name: "Submit task" }).click();
  await expect(page).toHaveURL(new RegExp(`^${front.url}/tasks/[A-Za-z0-9_-]{22}$`));
  await expect(page.locator("main")).toContainText("Valid. The queue created it.");
  // It is the other process that knows it.
  const id = page.url().split("/").at(-1) ?? "";
  const kept = await fetch(`${server.url}/api/queue/v1/task/${id}`);
  expect(await kept.json()).toMatchObject({ taskQueueId: ID });
});

test("given a queue that went away, when a task is submitted, then one is told, and the text stays", async ({ page, mortal, another, watched }) => {
  watched.allow(/status of 502/);
  const front = await another((folder) => [...SERVE(folder), "--route", `/api/queue=${mortal.url}`]);
  await new Registry(() => front.url).publish(ID, DEFINITION);
  const editor = await Editor.open(page, `${front.url}/tasks/new?workerType=${ID}`);
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await mortal.kill();
  await page.getByRole("button", { name: "Submit task" }).click();
  const told = page.getByRole("alert").filter({ hasText: "did not create the task" });
  await expect(told).toContainText("cannot be reached");
  await expect(told.getByRole("button", { name: "Try again" })).toBeVisible();
  await expect(editor.content).toContainText(ID);
});

test("given no queue, then the pages say so, and tasks are written and checked all the same", async ({ page, another }) => {
  const alone = await another(SERVE);
  await new Registry(() => alone.url).publish(ID, DEFINITION);
  const editor = await Editor.open(page, `${alone.url}/tasks/new?workerType=${ID}`);
  await expect(page.getByText(/There is no queue on this server/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Submit task" })).toHaveCount(0);
  await editor.write(`{"taskQueueId": "${ID}", "payload": {"command": 17}}`);
  await editor.told(/task\.payload\.command must be a string/);
  await page.goto(`${alone.url}/tasks/fN1SbArXTPSVFNUvaOlinQ`);
  await expect(page.locator("main")).toContainText("There is no queue on this server");
  await page.goto(`${alone.url}/worker-types/${ID}`);
  await expect(page.locator("main")).toContainText("Runs what it is told");
});

test("given nothing at all, then the first page teaches how to begin", async ({ page, another }) => {
  const empty = await another(SERVE);
  await page.goto(`${empty.url}/`);
  await expect(page.locator("main")).toContainText("There is no worker type yet.");
  await page.getByRole("link", { name: "Define the first one" }).click();
  await expect(page).toHaveURL(`${empty.url}/new`);
});
