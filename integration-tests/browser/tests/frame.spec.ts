/** What every page has around its content: the way past it by keyboard, the theme, the headers that keep strangers out. */

import { expect, test } from "../fixtures/test";

test("given a keyboard, when a page is open, then the first key leads past the head to the content", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("given a system's theme, when another is chosen, then it stays over pages and reloads", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const choice = page.getByRole("button", { name: /^Theme/ });
  const light = await background();
  await expect(choice).toHaveText("Theme: system");
  await choice.press("Enter");
  await expect(choice).toHaveText("Theme: light");
  await choice.press("Enter");
  await expect(choice).toHaveText("Theme: dark");
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.reload();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
  expect(await background()).toBe(dark);
  await page.emulateMedia({ colorScheme: "dark" });
  await choice.press("Enter");
  await expect(choice).toHaveText("Theme: system");
  expect(await background()).toBe(dark);
});

test("given a page, when it is loaded, then its policy forbids everything that is not ours", async ({ page, watched }) => {
  const answer = await page.goto("/");
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  // And the browser holds to it: what a hostile text might bring does not run.
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'taken over'";
    document.body.append(script);
    const style = document.createElement("style");
    style.textContent = "body { display: none }";
    document.body.append(style);
    document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror=\"document.title = 'taken over'\">");
    document.body.insertAdjacentHTML("beforeend", "<img src='https://example.com/seen.png'>");
  });
  const violations = (): string[] => seen.filter((fault) => fault.includes("policy violated"));
  const seen: string[] = [];
  await expect
    .poll(() => {
      seen.push(...watched.take());
      return violations().length;
    })
    .toBeGreaterThanOrEqual(4);
  for (const directive of ["script-src-elem", "script-src-attr", "style-src-elem", "img-src"]) {
    expect(violations().some((fault) => fault.includes(directive)), directive).toBe(true);
  }
  await expect(page).toHaveTitle(/^Worker types/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("given assets, when they are asked for again, then the browser keeps them for ever", async ({ page, server }) => {
  const kept: string[] = [];
  page.on("response", (answer) => {
    if (new URL(answer.url()).pathname.startsWith("/assets/")) kept.push(answer.headers()["cache-control"] ?? "");
  });
  await page.goto("/");
  expect(kept.length).toBeGreaterThan(1);
  expect(new Set(kept)).toEqual(new Set(["public, max-age=31536000, immutable"]));
  const style = await page.locator("link[rel=stylesheet]").getAttribute("href");
  const plain = await fetch(`${server.url}${String(style)}`, { headers: { "Accept-Encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
});
