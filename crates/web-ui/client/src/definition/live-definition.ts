/** The definition that is live, with every digit of it, and the generation that a change of it must name. */

import { answer } from "../page/api";
import { jsonText } from "../source/json-text";
import { readJson } from "../source/read-json";
import { type Language, type Node, pairOf, stringUnder } from "../source/tree";
import { yamlText } from "../source/yaml-text";

export interface LiveDefinition {
  readonly generation: string;
  readonly revision: string;
  readonly publishedBy: string;
  readonly message: string;
  /** Whether there is a pool configuration that the caller may not see: the text lacks it. */
  readonly hidesPool: boolean;
  readonly pool: Node | null;
  text(language: Language): string;
}

export async function liveDefinition(api: string, id: string): Promise<LiveDefinition> {
  // Not parsed by the browser, which would round long numbers.
  const response = await answer(`${api}/worker-types/${id}`);
  const { root } = readJson(await response.text());
  const number = (key: string): string => {
    const value = pairOf(root, key)?.value;
    return value?.kind === "scalar" ? value.json : "";
  };
  const definition = pairOf(root, "definition")?.value ?? null;
  return {
    generation: number("generation"),
    revision: number("revision"),
    publishedBy: stringUnder(root, "publishedBy") ?? "",
    message: stringUnder(root, "message") ?? "",
    // The entity tag of what is shown to everybody, where there is more.
    hidesPool: response.headers.get("etag")?.includes("-public") ?? false,
    pool: pairOf(definition, "pool")?.value ?? null,
    text: (language) => (language === "json" ? `${jsonText(definition, true)}\n` : yamlText(definition)),
  };
}
