/** The definition editor: checked while one writes, published on what it is a change of, and nothing typed is lost. */

import { Editor } from "../fixtures/editor";
import { HISTORY } from "../fixtures/given";
import { looksRight } from "../fixtures/looks";
import { Registry } from "../fixtures/registry";
import { expect, test } from "../fixtures/test";

function definition(description: string, maximum: number): string {
  return JSON.stringify({
    description,
    variants: [{ name: "default", payloadSchema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { maxRunTime: { type: "integer", maximum } },
    } }],
  }, null, 2);
}

test("given a new id and a definition, when it is published, then its page is there", async ({ page, registry }) => {
  const editor = await Editor.open(page, "/new", "Definition");
  await page.getByRole("textbox", { name: /id|worker type/i }).first().fill("editor/new");
  await editor.speak("JSON");
  await editor.write(definition("Made in the browser", 3600));
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await page.getByLabel("Message for the history").fill("the first of its kind");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL("/worker-types/editor/new");
  await expect(page.locator("main")).toContainText("Made in the browser");
  expect(await registry.get("/worker-types/editor/new")).toMatchObject({ revision: 1, message: "the first of its kind" });
});

test("given the template's words, then each is marked, and they are published only when one says so", async ({ page, registry }) => {
  const editor = await Editor.open(page, "/new?workerType=editor/template", "Definition");
  await editor.told(/description still has the template's words/);
  expect(await editor.marked(/owner still has the template's words/)).toBe("you@example.com");
  expect(await editor.marked(/documentation still has the template's words/)).toBe("documentation");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const told = page.getByRole("alert").filter({ hasText: "Not published yet" });
  await expect(told).toContainText("say who answers for it");
  await told.getByRole("button", { name: "Publish it as it is" }).click();
  await expect(page).toHaveURL("/worker-types/editor/template");
  expect(await registry.get("/worker-types/editor/template")).toMatchObject({ definition: { owner: "you@example.com" } });
});

test("given a narrower schema, when it is written, then a payload that would be refused is shown before anything is published", async ({ page, registry }) => {
  await registry.publish("editor/narrower", JSON.parse(definition("Narrower", 7200)) as never);
  const editor = await Editor.open(page, "/worker-types/editor/narrower/edit", "Definition");
  await editor.speak("JSON");
  await editor.write(definition("Narrower", 600));
  const check = page.getByRole("region", { name: "Check" });
  await expect(check).toContainText("Breaking: some tasks that are accepted now would be refused.");
  const witness = JSON.parse((await check.locator("pre code").textContent()) ?? "null") as { maxRunTime: number };
  expect(witness.maxRunTime).toBeGreaterThan(600);
  expect(witness.maxRunTime).toBeLessThanOrEqual(7200);
  expect(await registry.get("/worker-types/editor/narrower")).toMatchObject({ revision: 1 });
});

test("given what the gate refuses, then each problem is marked on its token", async ({ page }) => {
  const editor = await Editor.open(page, `/worker-types/${HISTORY}/edit`, "Definition");
  await editor.speak("JSON");
  const text = definition("Wrong in three places", 3600)
    .replace('"integer"', '"integre"')
    .replace('"description"', '"descripton"')
    .replace('"maxRunTime"', '"pattern": { "type": "string", "pattern": "(?=a)" }, "maxRunTime"');
  await editor.write(text);
  await editor.told(/descripton/);
  expect(await editor.marked(/descripton/)).toContain("descripton");
  await editor.write(text.replace('"descripton"', '"description"'));
  await editor.told(/integre/);
  expect(await editor.marked(/integre/)).toContain("integre");
  await editor.told(/look/);
  expect(await editor.marked(/look/)).toContain("(?=a)");
});

test("given a definition, when a key is begun, then its fields are proposed", async ({ page }) => {
  const editor = await Editor.open(page, `/worker-types/${HISTORY}/edit`, "Definition");
  await editor.speak("YAML");
  await editor.write("description: one line\n");
  await editor.go(2, 1);
  const proposals = await editor.proposals();
  for (const field of ["owner", "documentation", "lifecycle", "variants"]) expect(proposals).toContain(field);
  expect(proposals).not.toContain("description");
});

test("given a variant that runs a release, then the releases that there are and their configuration are proposed", async ({ page, registry }) => {
  const configurationSchema = { type: "object", required: ["zone"], properties: { cores: { type: "integer" }, zone: { enum: ["north", "south"] } } };
  for (const version of ["1.9.0", "1.10.0"]) {
    await registry.send("PUT", `/implementations/editor-runner/releases/${version}`, { description: "Runs", configurationSchema, variants: [{ name: "default", payloadSchema: { type: "object" } }] } as never);
  }
  const editor = await Editor.open(page, "/new", "Definition");
  const head = "description: Runs a release\nvariants:\n  - name: default\n    release: ";
  await editor.write(head);
  await editor.go(4, "    release: ".length + 1);
  const releases = await editor.proposals();
  expect(releases.filter((name) => name.startsWith("editor-runner"))).toEqual(["editor-runner@1.10.0", "editor-runner@1.9.0"]);
  await page.keyboard.press("Escape");
  await editor.write(`${head}editor-runner@1.10.0\n    configuration:\n      `);
  await editor.go(6, 7);
  expect(await editor.proposals()).toEqual(["zone", "cores"]);
  await page.getByRole("option", { name: "zone" }).click();
  await expect(page.locator(".cm-tooltip-autocomplete .cm-completionLabel").first()).toHaveText("north");
});

test("given a publish in between, when one publishes, then both are shown, merged and nothing typed is lost", async ({ page, registry, watched }) => {
  watched.allow(/status of 412/);
  const id = "editor/race";
  await registry.publish(id, { description: "As it was", owner: "first@example.com" });
  const editor = await Editor.open(page, `/worker-types/${id}/edit`, "Definition");
  await editor.speak("JSON");
  await editor.write(JSON.stringify({ description: "As I want it", owner: "first@example.com" }, null, 2));
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  // The page hears of it, and leaves the text alone.
  await registry.publish(id, { description: "As it was", owner: "second@example.com" }, "another owner");
  await expect(page.getByText(/Revision 2 was published since you began/)).toBeVisible();
  expect(await editor.text()).toContain("As I want it");
  await page.getByLabel("Message for the history").fill("mine");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const merge = page.getByRole("region", { name: "Merge" });
  await expect(merge).toContainText("another owner");
  await expect(merge.getByRole("textbox", { name: "Live now" })).toContainText("second@example.com");
  const mine = merge.getByRole("textbox", { name: "Your text" });
  await expect(mine).toContainText("As I want it");
  // The closing braces are equal: only the lines that differ are marked.
  await expect(merge.locator(".cm-changedLine")).toContainText([/description/, /owner/]);
  for (const line of await merge.locator(".cm-changedLine").allTextContents()) expect(line).toMatch(/description|owner/);
  await looksRight(page, "definition-editor-merge");
  await page.setViewportSize({ width: 1280, height: 900 });
  // Their owner, my description.
  await mine.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await editor.paste(JSON.stringify({ description: "As I want it", owner: "second@example.com" }, null, 2));
  await merge.getByRole("button", { name: "Use the right side" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page).toHaveURL(`/worker-types/${id}`);
  expect(await registry.get(`/worker-types/${id}`)).toMatchObject({
    revision: 3, message: "mine", definition: { description: "As I want it", owner: "second@example.com" },
  });
});

test("given a server that goes away while one types, then the draft is kept, one is told, and it goes on when it is back", async ({ page, mortal, watched }) => {
  // A server that is away is what this is about.
  watched.allow(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_SOCKET_NOT_CONNECTED/);
  await new Registry(() => mortal.url).publish("editor/mortal", JSON.parse(definition("As it was", 3600)) as never);
  const editor = await Editor.open(page, `${mortal.url}/worker-types/editor/mortal/edit`, "Definition");
  await editor.speak("JSON");
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await mortal.kill();
  await editor.write(definition("Written while nobody answered", 3600));
  await expect(page.getByRole("alert").filter({ hasText: "the draft is kept in this browser" })).toBeVisible();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing is lost; try again" })).toBeVisible();
  expect(await editor.text()).toContain("Written while nobody answered");
  await mortal.restart();
  await expect(page.getByRole("alert").filter({ hasText: "the draft is kept in this browser" })).toBeHidden({ timeout: 30_000 });
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await page.reload();
  await expect(page.getByText(/This is your draft/)).toBeVisible();
  expect(await editor.text()).toContain("Written while nobody answered");
});

test("the definition editor looks right in light and dark, narrow and wide", async ({ page }) => {
  const editor = await Editor.open(page, `/worker-types/${HISTORY}/edit`, "Definition");
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await looksRight(page, "definition-editor");
});

test("the editor for a new worker type looks right in light and dark, narrow and wide", async ({ page }) => {
  const editor = await Editor.open(page, "/new", "Definition");
  await expect(editor.problems).toBeVisible();
  await looksRight(page, "definition-editor-new");
});

test("given no script, then the definition editor says what one can do without", async ({ plain }) => {
  await plain.goto(`/worker-types/${HISTORY}/edit`);
  await expect.poll(() => plain.locator("main").innerText()).toMatch(/JavaScript|script/);
});
