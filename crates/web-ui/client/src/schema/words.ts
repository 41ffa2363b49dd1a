/** A schema in a few words: type, bounds, what is allowed. */

import { type Json, type SchemaObject, strings } from "./schema";

export function typesOf(found: readonly SchemaObject[]): string[] {
  const lists = found.flatMap((schema) => {
    const { type } = schema;
    return typeof type === "string" ? [[type]] : strings(type).length > 0 ? [strings(type)] : [];
  });
  const names = [...new Set(lists.flat())];
  if (names.length > 0) return names;
  return found.some((schema) => schema["properties"] !== undefined) ? ["object"] : [];
}

/** `integer`, `"a" | "b"`, `object`; empty where anything goes. */
export function typeWords(found: readonly SchemaObject[]): string {
  const values = valuesOf(found);
  if (values.length > 0) {
    const shown = values.slice(0, 4).map((value) => JSON.stringify(value));
    return shown.join(" | ") + (values.length > 4 ? " | …" : "");
  }
  return typesOf(found).join(" or ");
}

/** The values that are allowed; empty where they are not listed. */
export function valuesOf(found: readonly SchemaObject[]): Json[] {
  const values = found.flatMap((schema) => {
    if (schema["const"] !== undefined) return [schema["const"]];
    const listed = schema["enum"];
    return Array.isArray(listed) ? (listed as readonly Json[]) : [];
  });
  return unique(values);
}

export function unique(values: readonly Json[]): Json[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    return !seen.has(text) && seen.add(text);
  });
}

export function firstText(found: readonly SchemaObject[], keyword: string): string | undefined {
  return found.map((schema) => schema[keyword]).find((value) => typeof value === "string");
}

const BOUNDS: readonly [string, (value: string) => string][] = [
  ["minimum", (value) => `at least ${value}`],
  ["exclusiveMinimum", (value) => `more than ${value}`],
  ["maximum", (value) => `at most ${value}`],
  ["exclusiveMaximum", (value) => `less than ${value}`],
  ["multipleOf", (value) => `a multiple of ${value}`],
  ["minLength", (value) => `at least ${value} characters`],
  ["maxLength", (value) => `at most ${value} characters`],
  ["minItems", (value) => `at least ${value} items`],
  ["maxItems", (value) => `at most ${value} items`],
  ["minProperties", (value) => `at least ${value} properties`],
  ["maxProperties", (value) => `at most ${value} properties`],
  ["pattern", (value) => `matches ${value}`],
  ["format", (value) => `format ${value}`],
];

/** What bounds a value, one short phrase for each bound. */
export function bounds(found: readonly SchemaObject[]): string[] {
  const phrases = BOUNDS.flatMap(([keyword, phrase]) =>
    found.flatMap((schema) => {
      const value = schema[keyword];
      return typeof value === "number" || typeof value === "string" ? [phrase(String(value))] : [];
    }),
  );
  if (found.some((schema) => schema["uniqueItems"] === true)) phrases.push("no item twice");
  return [...new Set(phrases)];
}
