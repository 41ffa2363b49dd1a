/** What an author may write to harm a reader, or without meaning to: nothing of it runs, loads or breaks a page. */

import { looksRight, wider } from "../fixtures/looks";
import type { Definition, Json } from "../fixtures/registry";
import { expect, test } from "../fixtures/test";

/** Each would change the title of the page if it ran. */
const ATTACKS = [
  "<script>document.title = 'taken over'</script>",
  "<img src=x onerror=\"document.title = 'taken over'\">",
  "<svg onload=\"document.title = 'taken over'\"></svg>",
  "<a href=\"javascript:document.title = 'taken over'\">a link</a>",
  "[a link](javascript:document.title%20=%20'taken%20over')",
  "<iframe srcdoc=\"<script>top.document.title = 'taken over'</script>\"></iframe>",
  "<style>body { display: none }</style>",
  "<base href=\"https://example.com/\">",
  "<meta http-equiv=refresh content=\"0;url=https://example.com/\">",
  "<form action=\"https://example.com/\"><button>Send</button></form>",
  "</main></body><script>document.title = 'taken over'</script>",
  "\"><script>document.title = 'taken over'</script>",
  "![a picture](https://example.com/seen.png)",
  "<img src=\"https://example.com/seen.png\">",
  "<link rel=stylesheet href=\"https://example.com/style.css\">",
];

function schema(more: { [key: string]: Json }): Json {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", ...more };
}

function definition(payloadSchema: Json, more: Partial<Definition> = {}): Definition {
  return { description: "Made to be looked at", variants: [{ name: "default", payloadSchema }], ...more };
}

test("given hostile documentation, then it is text or nothing", async ({ page, registry }) => {
  await registry.publish("hostile/markdown", definition(schema({}), {
    description: "A line with <script>document.title = 'taken over'</script> in it",
    owner: "<b onclick=alert(1)>somebody</b>",
    documentation: `# Hostile\n\n${ATTACKS.join("\n\n")}\n\nThe end.\n`,
    links: [{ title: "<i>Reference</i>", href: "https://example.com/ref" }],
    tags: ["plain"],
  }));
  await page.goto("/worker-types/hostile/markdown");
  await expect(page).toHaveTitle("hostile/markdown · worker-manager");
  await expect(page.locator("main")).toContainText("The end.");
  await expect(page.locator("main")).toContainText("A line with <script>");
  const acting = page.locator("main").locator("script, iframe, object, embed, style, base, meta, form[action^='http'], [onerror], [onload], [onclick], a[href^='javascript:' i]");
  await expect(acting).toHaveCount(0);
  await looksRight(page, "hostile-markdown");
  await expect(page).toHaveTitle("hostile/markdown · worker-manager");
});

test("given hostile text in a schema, then it is text", async ({ page, registry }) => {
  const texts = Object.fromEntries(ATTACKS.map((attack, index) => [`p${index}`, {
    type: "string", title: attack, description: attack, default: attack, enum: [attack, "other"], examples: [attack],
  }]));
  await registry.publish("hostile/schema", definition(schema({
    title: ATTACKS[0] ?? "",
    description: ATTACKS.join("\n\n"),
    properties: { ...texts, "<script>document.title = 'taken over'</script>": { type: "string", pattern: "^<b>\"'&$" } },
    required: ["<script>document.title = 'taken over'</script>"],
  })));
  await page.goto("/worker-types/hostile/schema");
  await expect(page.locator(".reference")).toContainText("<script>document.title = 'taken over'</script>");
  await expect(page.locator("main").locator("script, iframe, style, [onerror], [onload], a[href^='javascript:' i]")).toHaveCount(0);
  await expect(page).toHaveTitle("hostile/schema · worker-manager");
  await looksRight(page, "hostile-schema");
});

test("given names in every script, right to left and with emoji, then each is whole and its link works", async ({ page, registry }) => {
  const names = ["<b>bold</b>", "a&b\"c'd", "مفتاح", "שלום", "👩‍👩‍👧‍👦", "\u202Ereversed", "a/b~c%20d", "a.b[]", " ", "x".repeat(300), "#hash?query"];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string", description: `About ${name}` }]));
  await registry.publish("hostile/names", definition(schema({ properties, required: names.slice(0, 3) })));
  await page.goto("/worker-types/hostile/names");
  const reference = page.locator(".reference");
  for (const name of names.filter((name) => name.trim() !== "" && !name.startsWith("\u202E"))) {
    await expect(reference).toContainText(name);
  }
  const links = await reference.locator("a.name").evaluateAll((all) =>
    all.map((link) => [(link as HTMLAnchorElement).hash, document.getElementById(decodeURIComponent((link as HTMLAnchorElement).hash.slice(1))) !== null]),
  );
  expect(links).toHaveLength(names.length);
  expect(links.filter(([, found]) => found !== true)).toEqual([]);
  await looksRight(page, "hostile-names");
});

test("given a name that turns the writing round, then what stands after it is not turned", async ({ page, registry }) => {
  await registry.publish("hostile/turned", definition(schema({
    properties: { "\u202Eevil": { type: "integer", maximum: 1234 }, after: { type: "string" } },
  }), { description: "\u202Eturned round" }));
  for (const path of ["/?query=hostile/turned", "/worker-types/hostile/turned"]) {
    await page.goto(path);
    // An override without its end holds to the end of its paragraph: it must have one of its own.
    const leaking = await page.locator("main *").evaluateAll((all) =>
      all
        .filter((one) => [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && (child.textContent ?? "").includes("\u202E")))
        .filter((one) => {
          const { unicodeBidi, display } = getComputedStyle(one);
          return !/isolate|plaintext/.test(unicodeBidi) && display === "inline";
        })
        .map((one) => one.outerHTML.slice(0, 200)),
    );
    expect(leaking, path).toEqual([]);
  }
});

test("given 5,000 properties, then the page comes at once, and says where the others are", async ({ page, registry }) => {
  const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`property-${index}`, { type: "string", description: `The ${index}th` }]));
  await registry.publish("hostile/many", definition(schema({ properties })));
  const started = Date.now();
  await page.goto("/worker-types/hostile/many");
  await expect(page.getByText("property-0", { exact: true }).first()).toBeVisible();
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(await wider(page)).toEqual([]);
  await page.getByRole("searchbox", { name: /^Filter/ }).fill("property-17");
  await expect(page.locator(".reference .property").filter({ visible: true }).first()).toContainText("property-17");
  // One after the other, everything can be read.
  let seen = await page.locator(".reference .property").count();
  while (seen < 5000) {
    const more = page.locator(".reference a", { hasText: /more|further|other|rest/i }).last();
    await more.click();
    const here = await page.locator(".reference .property").count();
    expect(here).toBeGreaterThan(0);
    seen += here;
  }
  await expect(page.getByText("property-4999", { exact: true }).first()).toBeVisible();
});

test("given a schema of a megabyte, then its page comes and can be read", async ({ page, registry }) => {
  const long = "A long description. ".repeat(100);
  const properties = Object.fromEntries(Array.from({ length: 450 }, (_, index) => [`p${index}`, { type: "string", description: long }]));
  const large = schema({ properties });
  expect(JSON.stringify(large).length).toBeGreaterThan(900_000);
  await registry.publish("hostile/large", definition(large));
  const started = Date.now();
  await page.goto("/worker-types/hostile/large");
  await expect(page.getByText("p0", { exact: true }).first()).toBeVisible();
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(await wider(page)).toEqual([]);
});

test("given a schema that holds itself, then it is unfolded step by step", async ({ page, registry }) => {
  await registry.publish("hostile/recursive", definition(schema({
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: { node: { type: "object", properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } } } },
  })));
  await page.goto("/worker-types/hostile/recursive");
  await expect(page.locator(".reference")).toContainText("children");
  for (let step = 0; step < 3; step += 1) {
    await page.locator("details:not([open]) > summary").filter({ hasText: /children|parts|properties|items/i }).evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()));
    await page.getByRole("link", { name: /^Unfold/ }).first().click();
    await expect(page.locator("main")).toContainText("label");
  }
  await looksRight(page, "hostile-unfolded");
});

test("given references that answer each other, then the page does not grow without end", async ({ page, registry }) => {
  const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`d${index}`, {
    type: "object", properties: { left: { $ref: `#/$defs/d${(index + 1) % 12}` }, right: { $ref: `#/$defs/d${(index + 1) % 12}` } },
  }]));
  await registry.publish("hostile/branching", definition(schema({ properties: { root: { $ref: "#/$defs/d0" } }, $defs })));
  const answer = await page.goto("/worker-types/hostile/branching");
  expect((await answer?.body())?.length ?? 0).toBeLessThan(2_000_000);
  await expect(page.locator(".reference")).toContainText("left");
});

test("given a name of something that is not there, then the page says what was meant", async ({ page, watched }) => {
  watched.allow(/status of 404/);
  await page.goto("/worker-types/linux/contianer");
  await expect(page.locator("main")).toContainText(/did you mean/i);
  await expect(page.locator("main")).toContainText("linux/container");
  await page.goto("/worker-types/%3Cscript%3E/x", { waitUntil: "commit" }).catch(() => undefined);
  watched.allow(/status of 400/);
  await expect(page.locator("main")).toContainText("<script>");
});
