/** A document with one top-level field replaced or added, the rest as it stands. */

import { jsonText } from "../source/json-text";
import type { Language, Mapping, Node, Pair, Scalar } from "../source/tree";
import { yamlText } from "../source/yaml-text";

export function withField(root: Node | null, key: string, text: string, language: Language): string {
  return withNode(root, key, { kind: "scalar", type: "string", json: JSON.stringify(text), text, plain: false, from: 0, to: 0 } satisfies Scalar, language);
}

export function withNode(root: Node | null, key: string, value: Node, language: Language): string {
  const nowhere = { from: 0, to: 0 };
  const pair: Pair = { key, keyRange: nowhere, value };
  const pairs = root?.kind === "mapping" ? root.pairs : [];
  const known = pairs.some((other) => other.key === key);
  const next = known ? pairs.map((other) => (other.key === key ? pair : other)) : [...pairs, pair];
  const mapping: Mapping = { kind: "mapping", pairs: next, flow: false, ...nowhere };
  return language === "json" ? `${jsonText(mapping, true)}\n` : yamlText(mapping);
}
