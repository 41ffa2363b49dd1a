/** A rollout: what it changes is read, then it is completed or aborted. */

import { Editor } from "../fixtures/editor";
import { looksRight } from "../fixtures/looks";
import type { Definition, Json, Registry } from "../fixtures/registry";
import { expect, test } from "../fixtures/test";

/** Two live revisions: the older needs `to`, the newer needs `recipients`. */
async function rolling(registry: Registry, id: string, rollout: Json): Promise<void> {
  const needing = (name: string): Definition => ({
    description: `Needs ${name}`,
    variants: [{ name: "default", payloadSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object", required: [name] } }],
  });
  await registry.publish(id, needing("to"));
  await registry.publish(id, { ...needing("recipients"), rollout });
}

async function verdict(registry: Registry, id: string, payload: Json): Promise<unknown> {
  return ((await registry.send("POST", `/worker-types/${id}/validate`, { payload })) as { verdict: unknown }).verdict;
}

test("given a rollout, when it is completed, then its page said before what that does", async ({ page, registry }) => {
  const id = "browser/rollout";
  await rolling(registry, id, { policy: "lenient", completeAfter: "7d" });
  await page.goto(`/worker-types/${id}`);
  const main = page.locator("main");
  await expect(main).toContainText("A lenient rollout is in progress: revisions 1 and 2 are both live");
  await expect(main).toContainText("It completes by itself at");
  await looksRight(page, "rollout");
  await page.getByRole("link", { name: "What it changes, and how to end it" }).click();
  await expect(main).toContainText("Both are live");
  await looksRight(page, "rollout-end");
  expect(await verdict(registry, id, { to: "x" })).toBe("valid");
  await page.getByLabel("Why it is done").fill("all workers run 2.0");
  await page.getByRole("button", { name: "Complete: revision 2 alone" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Tasks that only revision 1 accepts will be refused." })).toBeVisible();
  expect(await verdict(registry, id, { to: "x" })).toBe("valid");
  await page.getByRole("button", { name: "Yes, complete it" }).click();
  await expect(page).toHaveURL(new RegExp(`/worker-types/${id}$`));
  await expect(main).not.toContainText("rollout is in progress");
  expect([await verdict(registry, id, { to: "x" }), await verdict(registry, id, { recipients: [] })]).toEqual(["invalid", "valid"]);
  await page.goto(`/worker-types/${id}/revisions`);
  const newest = main.getByRole("listitem").filter({ hasText: "Revision 2" });
  await expect(newest).toContainText(/Opened a lenient rollout, which was completed .* by local: all workers run 2\.0/);
  await expect(newest).toContainText("compatible while it is rolled out, then breaking");
  await looksRight(page, "rollout-history");
});

test("given a rollout that somebody else ended, when it is aborted, then one is told; otherwise the older revision is live", async ({ page, registry, watched }) => {
  watched.allow(/status of 404/);
  const id = "browser/rollout-aborted";
  await rolling(registry, id, { policy: "strict" });
  await page.goto(`/worker-types/${id}/diff?from=1&to=2`);
  await page.getByRole("button", { name: "Abort: back to revision 1" }).click();
  await expect(page).toHaveURL(new RegExp(`/worker-types/${id}$`));
  expect([await verdict(registry, id, { to: "x" }), await verdict(registry, id, { recipients: [] })]).toEqual(["valid", "invalid"]);

  const late = "browser/rollout-late";
  await rolling(registry, late, { policy: "strict" });
  await page.goto(`/worker-types/${late}/diff?from=1&to=2`);
  await registry.send("POST", `/worker-types/${late}/rollout/complete`, undefined, { "If-Match": "*" });
  await page.getByRole("button", { name: "Abort: back to revision 1" }).click();
  await expect(page.locator("main")).toContainText("The rollout was not aborted: no rollout of");
  await page.getByRole("link", { name: "See what is live now" }).click();
  expect(await verdict(registry, late, { recipients: [] })).toBe("valid");
});

test("given two ways to end a rollout, when Enter is pressed in the message, then neither is taken", async ({ page, registry }) => {
  const id = "browser/rollout-enter";
  await rolling(registry, id, { policy: "strict" });
  await page.goto(`/worker-types/${id}/diff?from=1&to=2`);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") asked.push(new URL(request.url()).pathname);
  });
  const message = page.getByLabel("Why it is done");
  await message.fill("the workers cannot do it");
  await message.press("Enter");
  await expect(message).toBeVisible();
  const abort = page.getByRole("button", { name: "Abort: back to revision 1" });
  await abort.focus();
  await abort.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/worker-types/${id}$`));
  expect(asked).toEqual([`/api/worker-manager/v1/worker-types/${id}/rollout/abort`]);
});

for (const { end, told } of [
  { end: "complete", told: (when: string) => `The rollout was completed ${when}: revision 2 is live alone.` },
  { end: "abort", told: (when: string) => `The rollout was aborted ${when}: revision 1 is live alone again.` },
]) {
  test(`given a rollout that somebody reads of, when another calls ${end}, then the page and the editor say so`, async ({ page, context, registry }) => {
    const id = `browser/rollout-${end}-live`;
    await rolling(registry, id, { policy: "strict" });
    await page.goto(`/worker-types/${id}`);
    const writing = await context.newPage();
    await Editor.open(writing, `/worker-types/${id}/edit`, "Definition");
    await registry.send("POST", `/worker-types/${id}/rollout/${end}`, undefined, { "If-Match": "*" });
    await expect(page.getByRole("status").filter({ hasText: told("just now") })).toBeVisible();
    await expect(writing.getByText(told("since you began"))).toBeVisible();
    await page.getByRole("link", { name: "Show it" }).click();
    await expect(page.getByText("rollout is in progress")).toHaveCount(0);
  });
}

for (const { policy, to, recipients } of [
  {
    policy: "lenient",
    to: "Valid: a lenient rollout of browser/rollout-task-lenient is open: revision 1 accepts it, revision 2 refuses it, and one of them is enough. When the rollout is complete, it is refused.",
    recipients: "Valid: a lenient rollout of browser/rollout-task-lenient is open: revision 2 accepts it, revision 1 refuses it, and one of them is enough.",
  },
  {
    policy: "strict",
    to: "Invalid: a strict rollout of browser/rollout-task-strict is open: both must accept a task; revision 2 refuses it, revision 1 accepts it.",
    recipients: "Invalid: a strict rollout of browser/rollout-task-strict is open: both must accept a task; revision 1 refuses it, revision 2 accepts it.",
  },
]) {
  test(`given a ${policy} rollout, when a task is written, then it is said which revision accepts it and which refuses it`, async ({ page, registry }) => {
    const id = `browser/rollout-task-${policy}`;
    await rolling(registry, id, { policy });
    const editor = await Editor.open(page, `/tasks/new?workerType=${id}`);
    const verdict = page.locator("main").getByRole("status").filter({ hasText: `${policy} rollout of` });
    for (const [payload, words] of [[{ to: "x" }, to], [{ recipients: [] }, recipients]] as const) {
      const now = Date.now();
      const times = { created: new Date(now).toISOString(), deadline: new Date(now + 3_600_000).toISOString() };
      const metadata = { name: "n", description: "d", owner: "o@example.com", source: "https://example.com" };
      await editor.write(JSON.stringify({ taskQueueId: id, ...times, metadata, payload }, null, 2));
      await expect(verdict).toContainText(words);
    }
  });
}

test("given a rollout, when its worker type is read, then both revisions' payloads are there, and no example that is refused", async ({ page, registry }) => {
  const closed = (name: string): Definition => ({
    description: `Needs ${name}`,
    variants: [
      {
        name: "default",
        payloadSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", required: [name], additionalProperties: false, properties: { [name]: { type: "string" } },
        },
      },
    ],
  });
  const main = page.locator("main");
  for (const [policy, examples] of [["lenient", 2], ["strict", 0]] as const) {
    const id = `browser/rollout-closed-${policy}`;
    await registry.publish(id, closed("to"));
    await registry.publish(id, { ...closed("recipients"), rollout: { policy } });
    await page.goto(`/worker-types/${id}`);
    for (const title of ["Payloads during the rollout", "Payload, revision 2", "Payload, revision 1"]) {
      await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
    }
    await expect(main.locator("details.example")).toHaveCount(examples);
    if (policy === "strict") await expect(main).toContainText("No payload was found that both accept");
    await looksRight(page, `rollout-payloads-${policy}`);
  }
  // Open schemas have something in common, which is shown and is what a new task begins with.
  const id = "browser/rollout-open";
  await rolling(registry, id, { policy: "strict" });
  await page.goto(`/worker-types/${id}`);
  const example = main.locator("details.example", { hasText: "Example that both revisions accept" }).locator("code");
  const payload = JSON.parse((await example.textContent()) ?? "") as Json;
  expect(Object.keys(payload as object).sort()).toEqual(["recipients", "to"]);
  expect(await verdict(registry, id, payload)).toBe("valid");
  await Editor.open(page, `/tasks/new?workerType=${id}`);
  await expect(main).toContainText("both revisions, 1 and 2, accept this task");
});

test("given a lenient rollout, when it is aborted, then the reason is asked for, and whether tasks may be refused", async ({ page, registry }) => {
  const id = "browser/rollout-asked";
  await rolling(registry, id, { policy: "lenient" });
  await page.goto(`/worker-types/${id}/diff?from=1&to=2`);
  const abort = page.getByRole("button", { name: "Abort: back to revision 1" });
  await abort.click();
  // The browser asks for the reason.
  await expect(page.getByLabel("Why it is done")).toBeFocused();
  await page.getByLabel("Why it is done").fill("the workers cannot do it");
  await abort.click();
  await page.getByRole("button", { name: "Leave it as it is" }).click();
  expect(await verdict(registry, id, { recipients: [] })).toBe("valid");
  await abort.click();
  await page.getByRole("button", { name: "Yes, abort it" }).click();
  await expect(page).toHaveURL(new RegExp(`/worker-types/${id}$`));
  expect(await verdict(registry, id, { recipients: [] })).toBe("invalid");
});

test("given an open rollout, when its definition is edited, then publishing is not promised, and replacing it is a choice in words", async ({ page, registry }) => {
  const id = "browser/rollout-edit";
  await rolling(registry, id, { policy: "lenient" });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  const main = page.locator("main");
  await expect(main).toContainText("A rollout is open: it can be published in place of the newer revision");
  await expect(main).not.toContainText("It can be published.");
  // Nothing was changed, so nothing differs, until the rollout ends.
  const check = page.getByRole("region", { name: "Check" });
  await expect(check).toContainText("Compatible: every task that is accepted now would still be accepted. Compared with revisions 1 and 2.");
  await expect(check.getByRole("heading", { name: "Once it has ended" })).toBeVisible();
  await expect(check.locator(".compatibility.breaking")).toContainText("Breaking: some tasks that are accepted now would be refused.");
  await looksRight(page, "rollout-edit");
  await page.getByLabel("Replace the open rollout").check();
  await editor.write((await editor.text()).replace("Needs recipients", "Needs recipients, many of them"));
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/worker-types/${id}$`));
  await expect(main).toContainText("revisions 1 and 3 are both live");
});

test("given compatibility that is required, when a rollout would end by itself in a loss, then one is told how to go on", async ({ page, registry, watched }) => {
  watched.allow(/status of 409/);
  const id = "browser/rollout-require";
  const needing = (name: string, rollout: string): string =>
    `description: Needs ${name}\ncompatibility: require\n${rollout}variants:\n  - name: default\n    payloadSchema: {$schema: "http://json-schema.org/draft-07/schema#", type: object, required: [${name}]}\n`;
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", required: ["to"] };
  await registry.publish(id, { description: "Needs to", compatibility: "require", variants: [{ name: "default", payloadSchema: schema }] });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.write(needing("recipients", "rollout: {policy: lenient, completeAfter: 7d}\n"));
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const told = page.getByRole("alert").filter({ hasText: "once the rollout has ended by itself (completeAfter)" });
  await expect(told).toContainText("Leave out completeAfter");
  await expect(page.getByRole("region", { name: "Check" })).toContainText("While the rollout is open");
  await editor.write(needing("recipients", "rollout: {policy: lenient}\n"));
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/worker-types/${id}$`));
  await page.goto("/?query=rollout-require");
  await expect(page.locator("main")).toContainText("rollout: revisions 1 and 2 are live");
});
