/** Real schemas and payloads, kept beside the project and read in place; none where they are missing. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";

const SHARED = fileURLToPath(new URL("../../../../../shared", import.meta.url));

/** Every JSON file below `folder`, as name and text. */
export function jsonFiles(folder: string): [string, string][] {
  const root = join(SHARED, folder);
  if (!existsSync(root)) {
    test.skip(`skipped: ${folder} of the shared data is not beside the project`, () => undefined);
    return [];
  }
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => [name, readFileSync(join(root, name), "utf8")]);
}
