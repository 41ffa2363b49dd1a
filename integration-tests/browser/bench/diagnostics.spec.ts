/** From the last key to the mark: how long a person waits to be told. */

import { Editor } from "../fixtures/editor";
import { expect, test } from "../fixtures/test";
import { line } from "./figures";

/** Of each worker type; each makes a mistake and takes it back. */
const PAIRS = 40;

declare global {
  interface Window {
    waited: number[];
  }
}

test("diagnostics after the last key", async ({ page }) => {
  test.setTimeout(180_000);
  const waited: number[] = [];
  for (const id of ["linux/container", "desktop/windows"]) {
    const editor = await Editor.open(page, `/tasks/new?workerType=${id}`);
    await editor.speak("YAML");
    await expect(editor.problems.getByRole("status")).toHaveText("No problems");
    // The template names maxRunTime; its value becomes text when a letter follows the number.
    const lines = (await editor.text()).split("\n");
    const at = lines.findIndex((words) => /^ {2}maxRunTime: \d+$/.test(words));
    expect(at, `${id} has maxRunTime: ${lines.join("\n")}`).toBeGreaterThan(0);
    await editor.go(at + 1, 1);
    await page.keyboard.press("End");
    await page.evaluate(() => {
      window.waited = [];
      let pressed = 0;
      let marked = false;
      addEventListener("keydown", (event) => (pressed = event.timeStamp), true);
      const look = (): void => {
        const now = document.querySelector(".cm-lintRange-error") !== null;
        if (now !== marked) window.waited.push(performance.now() - pressed);
        marked = now;
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    for (let pair = 1; pair <= PAIRS; pair += 1) {
      await page.keyboard.press("s");
      await page.waitForFunction((count) => window.waited.length === count, pair * 2 - 1);
      await page.keyboard.press("Backspace");
      await page.waitForFunction((count) => window.waited.length === count, pair * 2);
    }
    waited.push(...(await page.evaluate(() => window.waited)));
  }
  waited.sort((a, b) => a - b);
  line("diagnostics after the last key, the median", waited[Math.floor(waited.length / 2)] ?? NaN, "ms", "");
  line("diagnostics after the last key, p95", waited[Math.floor(waited.length * 0.95)] ?? NaN, "ms", "≤ 300");
});
