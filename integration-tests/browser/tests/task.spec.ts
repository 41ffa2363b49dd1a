/** The page of a task, and of one that nobody knows. */

import { HISTORY } from "../fixtures/given";
import { looksRight } from "../fixtures/looks";
import { expect, test } from "../fixtures/test";

test("given a task that was created, then its page says the verdict, and a new one can be made of it", async ({ page, registry }) => {
  const id = await registry.createTask("AAAAAAAAQAmAAAAAAAAAAA", HISTORY, { command: ["make"], maxRunTime: 60 });
  await page.goto(`/tasks/${id}`);
  await expect(page.locator("main")).toContainText("Valid. The queue created it.");
  await expect(page.locator("main")).toContainText(HISTORY);
  await expect(page.locator("main .lead")).toHaveText("A task");
  await looksRight(page, "task");
  await page.getByRole("link", { name: "Edit and create again" }).click();
  await expect(page.getByRole("textbox", { name: "Task definition" })).toContainText('"maxRunTime": 60');
});

test("given a task that was created with a warning, then its page says what would be refused", async ({ page, registry }) => {
  await registry.publish("browser/warns", {
    description: "Warns",
    validation: "warn",
    variants: [{ name: "default", payloadSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: { maxRunTime: { type: "integer" } } } }],
  });
  const id = await registry.createTask("AAAAAAAAQAmAAAAAAAAAAQ", "browser/warns", { maxRunTime: "60" });
  await page.goto(`/tasks/${id}`);
  await expect(page.locator("main")).toContainText("task.payload.maxRunTime must be an integer, not a string");
  await looksRight(page, "task-with-warning");
});

test("given a task that nobody created, then its page says so", async ({ page, watched }) => {
  watched.allow(/status of 404/);
  await page.goto("/tasks/fN1SbArXTPSVFNUvaOlinQ");
  await expect(page.locator("main")).toContainText("does not correspond to a task that exists");
  await looksRight(page, "task-unknown");
});
