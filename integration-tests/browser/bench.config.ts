/** How `make bench` measures in the browser: one at a time, and nothing but the figures is said. */

import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig({ ...tests, testDir: "bench", workers: 1, reporter: "./bench/figures.ts" });
