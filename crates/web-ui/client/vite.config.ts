import { readFile, writeFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync, constants } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Puts a compressed copy beside every file that a browser fetches: the server sends it as it is. */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    async writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const name of await readdir(dir)) {
        if (!/\.(js|css)$/.test(name)) continue;
        const path = join(dir, name);
        await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}

export default defineConfig({
  base: "/assets/",
  // A hang guard, on machines that do much else.
  test: { testTimeout: 120_000 },
  plugins: [precompressed()],
  build: {
    assetsDir: "",
    manifest: "manifest.json",
    target: "es2022",
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: {
        "definition-editor": "src/definition-editor.ts",
        reading: "src/reading.ts",
        task: "src/task.ts",
        "task-creator": "src/task-creator.ts",
      },
    },
  },
});
