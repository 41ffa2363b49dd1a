/** The task creator: mistakes on their tokens, proposals where one writes, drafts, and the way to a task. */

import { DELETED } from "../fixtures/given";
import { Editor } from "../fixtures/editor";
import { looksRight } from "../fixtures/looks";
import type { Locator } from "@playwright/test";
import { expect, test } from "../fixtures/test";

const NEW = "/tasks/new?workerType=linux/container";

/** Seven different mistakes in a payload; each with the words that tell of it and the token that it stands on. */
const MISTAKES = [
  { path: "image", said: /image/, token: "17" },
  { path: "command", said: /task\.payload\.command\[1\].*string/, token: "true" },
  { path: "maxRunTime", said: /maxRunTime must be an integer, not a string/, token: '"3600"' },
  { path: "env.CI", said: /env\.CI.*string/, token: "1" },
  { path: "onExitSatus", said: /onExitSatus.*did you mean "onExitStatus"/, token: "onExitSatus" },
  { path: "features.liveLogs", said: /liveLogs/, token: "liveLogs" },
  { path: "resources.memoryMiB", said: /memoryMiB/, token: "-5" },
] as const;

const PAYLOAD_JSON = `{
    "image": 17,
    "command": ["make", true],
    "maxRunTime": "3600",
    "env": { "CI": 1 },
    "onExitSatus": {},
    "features": { "liveLogs": true },
    "resources": { "memoryMiB": -5 }
  }`;

const PAYLOAD_YAML = `
  image: 17
  command: [make, true]
  maxRunTime: "3600"
  env:
    CI: 1
  onExitSatus: {}
  features:
    liveLogs: true
  resources: { memoryMiB: -5 }
`;

const HOUR = 3_600_000;
const HEAD = {
  taskQueueId: "linux/container",
  created: new Date().toISOString(),
  deadline: new Date(Date.now() + 6 * HOUR).toISOString(),
  metadata: { name: "n", description: "d", owner: "o@example.com", source: "https://example.com" },
};

function json(payload: string): string {
  return `${JSON.stringify(HEAD, null, 2).slice(0, -2)},\n  "payload": ${payload}\n}`;
}

function yaml(payload: string): string {
  return `taskQueueId: linux/container
created: "${HEAD.created}"
deadline: "${HEAD.deadline}"
metadata: { name: n, description: d, owner: o@example.com, source: https://example.com }
payload:${payload}`;
}

for (const [language, text] of [["JSON", json(PAYLOAD_JSON)], ["YAML", yaml(PAYLOAD_YAML)]] as const) {
  test(`given seven mistakes in a ${language} task, then each is marked on its token`, async ({ page }) => {
    const editor = await Editor.open(page, NEW);
    await editor.speak(language);
    await editor.write(text);
    for (const { said, token, path } of MISTAKES) {
      await editor.told(said);
      const marked = await editor.marked(said);
      const bare = token.replaceAll('"', "");
      expect([token, `"${bare}"`, bare], `${path}: ${marked}`).toContain(marked);
    }
    await expect(editor.problems.getByRole("status")).toHaveText("7 errors");
    // They are drawn as well as listed.
    await expect(page.locator(".cm-lintRange-error")).toHaveCount(7);
  });
}

test("given a template, when the page opens, then nothing is wrong with it and the queue takes it", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await page.getByRole("button", { name: "Submit task" }).click();
  await expect(page).toHaveURL(/\/tasks\/[A-Za-z0-9_-]{22}$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Task");
  await expect(page.locator("main")).toContainText("linux/container");
  await expect(page.locator("main")).toContainText("Valid. The queue created it.");
});

test("given a text with an error of syntax, then errors of the schema elsewhere stand beside it", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  const text = json(`{\n    "image": "registry.example.com/ci/rust:1.91",\n    "command": ["make"],\n    "maxRunTime": "3600",\n    "env": { "A": }\n  }`);
  await editor.write(text);
  await editor.told(/maxRunTime must be an integer/);
  expect(await editor.marked(/maxRunTime must be an integer/)).toBe('"3600"');
  const syntax = (await editor.listed()).filter(({ message }) => !/maxRunTime/.test(message));
  expect(syntax.length).toBeGreaterThan(0);
  expect(syntax.map((problem) => problem.line)).toEqual([text.split("\n").findIndex((line) => line.includes('"A": }')) + 1]);
});

test("given an empty key, when proposals are asked for, then the payload's properties come with what fits", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  const text = json('{\n    "": \n  }');
  await editor.write(text);
  await editor.go(text.split("\n").findIndex((line) => line.includes('""')) + 1, 6);
  const proposals = await editor.proposals();
  for (const name of ["image", "command", "maxRunTime", "onExitStatus"]) expect(proposals).toContain(name);
  expect(proposals).not.toContain("taskQueueId");
});

test("given a schema, when its keys are proposed, then what is required comes first, and the rest as the schema has it", async ({ page, registry }) => {
  const properties = { zone: { type: "string" }, image: { type: "string" }, area: { type: "string" }, beta: { type: "string" }, alpha: { type: "string" } };
  await registry.publish("editor/order", { description: "In an order", variants: [{ name: "default", payloadSchema: { type: "object", required: ["image", "alpha"], properties } }] });
  const editor = await Editor.open(page, "/tasks/new?workerType=editor/order");
  const text = json('{\n    "": \n  }').replace("linux/container", "editor/order");
  await editor.write(text);
  await expect(editor.problems.getByRole("listitem").first()).toBeVisible();
  await editor.go(text.split("\n").findIndex((line) => line.includes('""')) + 1, 6);
  await expect(async () => {
    await page.keyboard.press("Escape");
    expect(await editor.proposals()).toEqual(["image", "alpha", "zone", "area", "beta"]);
  }).toPass();
});

for (const [place, payload, marker, wanted] of [
  ["a key", '{\n    \n    "command": ["make"]\n  }', "    \n", "image"],
  ["a key after the last", '{\n    "command": ["make"],\n    \n  }', "    \n", "image"],
  ["a key on the line of the braces", "{}", "{}", "image"],
  ["a value", '{ "command": ["make"] },\n  "priority": \n  ', '"priority": \n', "very-high"],
] as const) {
  test(`given ${place} to be written, when a quote is typed, then proposals come by themselves`, async ({ page }) => {
    const editor = await Editor.open(page, NEW);
    const text = json(payload);
    await editor.write(text);
    const at = text.indexOf(marker, text.indexOf('"payload"')) + (marker === "{}" ? 1 : marker.length - 1);
    const before = text.slice(0, at).split("\n");
    await editor.go(before.length, (before.at(-1) ?? "").length + 1);
    await page.keyboard.type('"');
    await expect(page.locator(".cm-tooltip-autocomplete .cm-completionLabel").filter({ hasText: wanted })).toBeVisible();
  });
}

test("given a choice of branches, when one is begun, then only its own properties are proposed", async ({ page }) => {
  // An image is a name, or an artifact of another task, or of the index: three branches of a oneOf.
  const editor = await Editor.open(page, NEW);
  await editor.speak("YAML");
  const before = '\n  image:\n    taskId: fN1SbArXTPSVFNUvaOlinQ\n    ';
  const text = yaml(before);
  await editor.write(text);
  const lines = text.split("\n");
  await editor.go(lines.length, 5);
  const proposals = await editor.proposals();
  expect(proposals).toContain("artifact");
  expect(proposals).not.toContain("taskId");
  expect(proposals).not.toContain("index");
});

test("given a flow map in YAML, when proposals are asked for, then they are those of the map", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  await editor.speak("YAML");
  const text = yaml("\n  features: {  }");
  await editor.write(text);
  await editor.go(text.split("\n").length, "  features: { ".length + 1);
  const proposals = await editor.proposals();
  expect(proposals).toContain("liveLog");
  expect(proposals).not.toContain("maxRunTime");
});

test("given another task queue in the text, then the schema is that queue's, and nothing is asked that is not there", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  await editor.write(json('{ "image": "registry.example.com/ci/rust:1.91", "command": ["make"], "maxRunTime": 60 }'));
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await editor.write(json('{ "image": "registry.example.com/ci/rust:1.91", "command": ["make"], "maxRunTime": 60 }').replace("linux/container", "hardware/phone-lab"));
  await editor.told(/image/);
  await editor.write(json("{}").replace("linux/container", "linux/contianer"));
  await editor.told(/linux\/container/);
  expect(await editor.marked(/linux\/container/)).toContain("linux/contianer");
  // A name that is not finished, and one that is gone: browsers tell the console of every 404 and 410.
  await editor.write(json("{}").replace("linux/container", "linux/c"));
  await editor.told(/no worker type linux\/c/);
  await editor.write(json("{}").replace("linux/container", DELETED));
  await expect(page.locator(".verdict")).toContainText("deleted");
});

test("given a draft, when the page is loaded again, then it is there; and a link carries it elsewhere", async ({ page, browser, server }) => {
  const editor = await Editor.open(page, NEW);
  const text = json('{ "image": "registry.example.com/ci/kept:1" }');
  await editor.write(text);
  await page.reload();
  await expect(page.getByText(/This is your draft/)).toBeVisible();
  expect(await editor.text()).toContain("ci/kept:1");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText(/The link to this text/)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.startsWith(server.url)).toBe(true);
  const other = await browser.newContext();
  const elsewhere = await Editor.open(await other.newPage(), link);
  await expect(elsewhere.content).toContainText("ci/kept:1");
  await other.close();
});

test("given a keyboard alone, then a task is written, mended and submitted", async ({ page }) => {
  await page.goto(NEW);
  const editor = new Editor(page);
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  const tabTo = async (name: string, wanted: () => Promise<boolean>): Promise<void> => {
    for (let presses = 0; !(await wanted()); presses += 1) {
      expect(presses, `Tab reaches ${name}`).toBeLessThan(40);
      await page.keyboard.press("Tab");
    }
  };
  const focused = (role: string, name: RegExp): (() => Promise<boolean>) => {
    return () => page.evaluate(([wanted, words]) => {
      const one = document.activeElement;
      const called = one?.getAttribute("aria-label") ?? one?.textContent ?? "";
      return (one?.getAttribute("role") ?? one?.tagName.toLowerCase()) === wanted && new RegExp(words ?? "").test(called);
    }, [role, name.source]);
  };
  await tabTo("the editor", focused("textbox", /Task definition/));
  await page.keyboard.press("ControlOrMeta+a");
  await editor.paste(json('{ "image": "registry.example.com/ci/rust:1.91", "command": ["make"], "maxRunTime": "60" }'));
  await editor.told(/maxRunTime/);
  await page.keyboard.press("F8");
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('"60"');
  await page.keyboard.type("60");
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await tabTo("the button", focused("button", /^Submit task/));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/tasks\/[A-Za-z0-9_-]{22}$/);
});

test("given a task that would be refused, when it is submitted, then one is asked first and told the queue's words", async ({ page, watched }) => {
  watched.allow(/status of 400/);
  const editor = await Editor.open(page, NEW);
  await editor.write(json('{ "image": "registry.example.com/ci/rust:1.91", "command": ["make"], "maxRunTime": "60" }'));
  await editor.told(/maxRunTime/);
  await page.getByRole("button", { name: "Submit task" }).click();
  await page.getByRole("button", { name: "Submit it all the same" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "did not create the task" })).toContainText("task.payload.maxRunTime must be an integer, not a string");
});

test("given a mistake, when the pointer rests on it, then what the property is for stands below what is wrong", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  await editor.write(json('{ "image": "registry.example.com/ci/rust:1.91", "command": ["make"], "maxRunTime": "60" }'));
  await editor.told(/maxRunTime/);
  await page.locator(".cm-lintRange-error").hover();
  const told = page.locator(".cm-tooltip .cm-diagnostic");
  await expect(told).toContainText("task.payload.maxRunTime must be an integer, not a string");
  await expect(told.locator(".description")).toContainText(/\w+ \w+/);
});

test("given JSON with an error of syntax, when YAML is chosen, then nothing changes and one is told what to mend", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  const text = '{"taskQueueId": "linux/container", "payload": {},}';
  await editor.write(text);
  const choice = page.getByRole("group", { name: "Language" });
  await choice.getByRole("button", { name: "YAML" }).click();
  await expect(page.getByText("cannot be turned into YAML while it has errors of syntax: nothing follows this comma")).toBeVisible();
  await expect(choice.getByRole("button", { name: "JSON" })).toHaveAttribute("aria-pressed", "true");
  expect(await editor.text()).toBe(text);
  // What was YAML all along is taken as it stands, but not unasked.
  await editor.write("taskQueueId: linux/container # mine\npayload: {}\n");
  await choice.getByRole("button", { name: "YAML" }).click();
  await page.getByRole("button", { name: "It is YAML already: leave it as it is" }).click();
  await expect(choice.getByRole("button", { name: "YAML" })).toHaveAttribute("aria-pressed", "true");
  expect(await editor.text()).toContain("# mine");
});

test("given a task of yesterday, then its times are marked in the queue's words, and one button moves them to now", async ({ page, watched }) => {
  watched.allow(/status of 400/);
  const editor = await Editor.open(page, NEW);
  const yesterday = (text: string) => text.replaceAll(HEAD.created, new Date(Date.now() - 30 * HOUR).toISOString()).replaceAll(HEAD.deadline, new Date(Date.now() - 24 * HOUR).toISOString());
  await editor.write(yesterday(json('{ "image": "registry.example.com/ci/rust:1.91", "command": ["make"], "maxRunTime": 60 }')));
  await editor.told(/`created` cannot be in the past/);
  await editor.told(/`deadline` cannot be in the past/);
  expect(await editor.marked(/`created` cannot/)).toMatch(/^"\d{4}-/);
  await page.getByRole("button", { name: "Submit task" }).click();
  await page.getByRole("button", { name: "Submit it all the same" }).click();
  const refused = page.getByRole("alert").filter({ hasText: "did not create the task" });
  await expect(refused).toContainText("`created` cannot be in the past (max 15min drift)");
  // The same times would be refused again.
  await expect(refused.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await editor.problems.getByRole("button", { name: "Set times to now" }).first().click();
  await expect(editor.problems.getByRole("status")).toHaveText("No problems");
  await editor.write((await editor.text()).replaceAll(/"(created|deadline)": "[^"]*"/g, (_, name: string) => `"${name}": "${new Date(Date.now() - (name === "created" ? 30 : 24) * HOUR).toISOString()}"`));
  await editor.told(/`created` cannot be in the past/);
  await page.getByRole("button", { name: "Submit task" }).click();
  await page.getByRole("button", { name: "Set times to now and submit" }).click();
  await expect(page).toHaveURL(/\/tasks\/[A-Za-z0-9_-]{22}$/);
});

test("the task creator looks right in light and dark, narrow and wide", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  await editor.write(json(PAYLOAD_JSON));
  await expect(editor.problems.getByRole("status")).toHaveText("7 errors");
  await looksRight(page, "task-creator");
});

test("the list of proposals and the search of the editor look right in light and dark, narrow and wide", async ({ page }) => {
  const editor = await Editor.open(page, NEW);
  const text = json('{\n    "": \n  }');
  await editor.write(text);
  await editor.go(text.split("\n").findIndex((line) => line.includes('""')) + 1, 6);
  // Opened where it is narrow: the library moves an open list some time after its window has shrunk.
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await editor.proposals()).toContain("maxRunTime");
  const list = page.locator(".cm-tooltip-autocomplete > ul");
  expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight), "the list scrolls").toBe(true);
  await looksRight(page, "task-creator-proposals");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+f");
  const search = page.getByRole("textbox", { name: "Find" });
  await expect(search).toBeFocused();
  // As legible as the text that is searched.
  const size = (one: Locator) => one.evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
  expect(await size(search)).toBeGreaterThanOrEqual(await size(editor.content));
  await looksRight(page, "task-creator-search");
});

test("given no script, then the task creator says what one can do without", async ({ plain }) => {
  await plain.goto(NEW);
  // The browser's own words: the tests' library passes over noscript.
  await expect.poll(() => plain.locator("main").innerText()).toContain("wm validate FILE");
  // Nothing is promised that only a script can keep.
  await expect(plain.getByText("The editor is loading…")).toBeHidden();
});

test("given a script that never comes, then the task creator says so, and what one can do without", async ({ page, watched }) => {
  watched.allow(/ERR_FAILED/);
  await page.route("**/assets/task-creator*", (route) => route.abort());
  await page.goto(NEW);
  await expect(page.getByText("Its script has not come yet")).toBeVisible({ timeout: 15_000 });
});
