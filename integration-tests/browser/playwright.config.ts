/** How the tests run: two workers, each with a browser and a server of its own. Results go where scripts/test reads them. */

import { defineConfig } from "@playwright/test";
import { launchOptions } from "./fixtures/chromium";
import { OUTPUT } from "./fixtures/output";

export default defineConfig({
  testDir: "tests",
  outputDir: `${OUTPUT}/failures`,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env["PLAYWRIGHT_JSON_OUTPUT_FILE"] === undefined ? "list" : [["json"]],
  use: {
    launchOptions: launchOptions(),
    trace: "retain-on-failure",
    locale: "en-GB",
    timezoneId: "UTC",
    // A test that waits for what never comes tells of that, and not of its own time being over.
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
  },
});
