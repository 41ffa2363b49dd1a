/** Links and ids. */

import { expect, test } from "vitest";
import { fragmentOf, sharedIn } from "../src/page/share";
import { slugid } from "../src/source/slugid";

test("a text travels in a link", async () => {
  for (const text of ["", "a: ü 🎈\n", "x".repeat(100_000)]) {
    const fragment = await fragmentOf({ text, language: "yaml" });
    expect(fragment).toMatch(/^#yaml=[\w-]*$/);
    if (text !== "") expect(await sharedIn(fragment)).toEqual({ text, language: "yaml" });
  }
  expect(await sharedIn("#yaml=!!")).toBeNull();
  expect(await sharedIn("#yaml=AAAA")).toBeNull();
  expect(await sharedIn("#content")).toBeNull();
});

test("a slug id is a version 4 UUID", () => {
  // Taskcluster's own pattern of task ids.
  const pattern = /^[A-Za-z0-9_-]{8}[Q-T][A-Za-z0-9_-][CGKOSWaeimquy26-][A-Za-z0-9_-]{10}[AQgw]$/;
  for (const byte of [0, 0x55, 0xff]) expect(slugid((bytes) => bytes.fill(byte))).toMatch(pattern);
  expect(slugid((bytes) => bytes.fill(0xff))).not.toMatch(/^-/);
});
