/** Reads a text in its language. */

import { readJson } from "./read-json";
import { readYaml } from "./read-yaml";
import type { Language, Source } from "./tree";

export function read(text: string, language: Language): Source {
  return language === "json" ? readJson(text) : readYaml(text);
}
