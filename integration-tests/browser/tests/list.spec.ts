/** The list: everything that one can ask of it stands in the URL, with script and without. */

import { expect, test } from "../fixtures/test";

test("given words, when one types, then what fits appears and the URL says what was asked", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Search" }).pressSequentially("notarise");
  await expect(page.getByRole("status")).toContainText("1 worker type");
  await expect(page.getByRole("rowheader")).toHaveText([/signing\/packages/]);
  await expect(page).toHaveURL("/?query=notarise");
  await page.getByRole("link", { name: "clear the search" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("searchbox", { name: "Search" })).toHaveValue("");
});

test("given a payload property, when its name is searched, then the link leads to the property", async ({ page }) => {
  await page.goto("/?query=onExitStatus");
  const row = page.getByRole("row").filter({ hasText: "linux/container" });
  await row.getByRole("link", { name: "onExitStatus" }).first().click();
  await expect(page).toHaveURL(/\/worker-types\/linux\/container#payload\.onExitStatus/);
  const property = page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`);
  await expect(property).toBeInViewport();
  await expect(property).toContainText("onExitStatus");
});

test("given a URL with filters, when it is opened, then the form shows them and the list holds to them", async ({ page }) => {
  await page.goto("/?implementation=native-worker&tag=windows");
  await expect(page.getByRole("combobox", { name: "Implementation" })).toHaveValue("native-worker");
  await expect(page.getByRole("combobox", { name: "Tag" })).toHaveValue("windows");
  await expect(page.getByRole("rowheader")).toHaveText([/desktop\/windows/]);
  await page.getByRole("combobox", { name: "Tag" }).selectOption("linux");
  await expect(page.getByRole("rowheader")).toHaveText([/desktop\/ubuntu/]);
  await expect(page).toHaveURL("/?implementation=native-worker&tag=linux");
});

test("given a filter whose value nothing has, then the form still says what was asked", async ({ page }) => {
  await page.goto("/?provisionerId=nobody-has-this");
  await expect(page.getByRole("combobox", { name: "Provisioner" })).toHaveValue("nobody-has-this");
  await expect(page.getByRole("status")).toContainText("0 worker types");
});

test("given no script, when the form is sent, then the same URL is asked", async ({ plain }) => {
  await plain.goto("/");
  await plain.getByRole("searchbox", { name: "Search" }).fill("phones");
  await plain.getByRole("combobox", { name: "Provisioner" }).selectOption("hardware");
  await plain.getByRole("button", { name: "Search" }).click();
  await expect(plain).toHaveURL(/\?query=phones&provisionerId=hardware/);
  await expect(plain.getByRole("rowheader")).toHaveText([/hardware\/phone-lab/]);
});

test("given another's publish, when the list is open, then it appears without a reload", async ({ page, registry }) => {
  await page.goto("/?query=appears-live");
  await expect(page.getByRole("status")).toContainText("0 worker types");
  await registry.publish("browser/live", { description: "This one appears-live" });
  await expect(page.getByRole("rowheader")).toHaveText([/browser\/live/]);
});

test("given a deprecated worker type, then the list names its replacement", async ({ page }) => {
  await page.goto("/?lifecycle=deprecated");
  const row = page.getByRole("row").filter({ hasText: "browser/old" });
  await expect(row).toContainText("deprecated");
  await row.getByRole("link", { name: "linux/container" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("linux/container");
});

test("given a keyboard alone, then one searches, reads and comes back", async ({ page }) => {
  await page.goto("/");
  const search = page.getByRole("searchbox", { name: "Search" });
  for (let presses = 0; !(await search.evaluate((field) => field === document.activeElement)); presses += 1) {
    expect(presses, "Tab reaches the search").toBeLessThan(12);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.type("external power");
  await expect(page.getByRole("rowheader")).toHaveText([/hardware\/phone-lab/]);
  const found = page.getByRole("rowheader").getByRole("link");
  for (let presses = 0; !(await found.evaluate((link) => link === document.activeElement)); presses += 1) {
    expect(presses, "Tab reaches the first result").toBeLessThan(12);
    await page.keyboard.press("Tab");
  }
  // Whoever uses the keyboard sees where they are.
  const outline = await found.evaluate((link) => getComputedStyle(link).outlineStyle);
  expect(outline).not.toBe("none");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("hardware/phone-lab");
  await page.goBack();
  await expect(page).toHaveURL("/?query=external+power");
  await expect(page.getByRole("rowheader")).toHaveText([/hardware\/phone-lab/]);
});
