/** The headings that complete documentation has, for those who begin with an empty page. */

import { type Node, pairOf, stringUnder } from "../source/tree";

/** The title of what has no id yet. */
export const NAMELESS = "# Name of the worker type";
const PURPOSE = "What it is for, and when to use another one.";
const SHORT = "What a task may say, in short.";
const CONTACT = "Name, channel, hours.";
const BEFORE = [
  ["## When to use it", "What runs well here. Which worker type to use for what does not."],
  ["## Machines", "Operating system, architecture, CPUs, memory, disk, network. How long tasks wait at busy times."],
] as const;
const AFTER = [
  ["## A first task", "The smallest task that works, to copy."],
  ["## Limits", "Run time, size, rate; what happens at each."],
  ["## Caches and artifacts", "What outlives a task, and for how long."],
  ["## Secrets and scopes", "What a task must have to use what is protected."],
  ["## When a task fails", "Exit statuses, retries, where the logs are, what to try first."],
  ["## Changes", "What changed lately, and what authors have to do."],
] as const;

/** What stands under the headings until somebody writes there. */
export const WORDS: readonly string[] = [PURPOSE, SHORT, CONTACT, ...[...BEFORE, ...AFTER].map(([, words]) => words)];

/** Documentation with a section for everything that authors ask, and a line for each property of the payload. */
export function outline(id: string, definition: Node | null): string {
  const names = propertyNames(definition);
  const rows = names.map((name) => `| \`${name}\` | |`);
  const table = rows.length === 0 ? SHORT : ["| property | in short |", "|---|---|", ...rows].join("\n");
  return [
    id === "" ? NAMELESS : `# ${id}`,
    stringUnder(definition, "description") ?? PURPOSE,
    ...BEFORE.flat(),
    "## The payload at a glance", table,
    ...AFTER.flat(),
    "## Whom to ask", stringUnder(definition, "owner") ?? CONTACT,
  ].join("\n\n");
}

function propertyNames(definition: Node | null): string[] {
  const variants = pairOf(definition, "variants")?.value;
  if (variants?.kind !== "sequence") return [];
  const names = variants.items.flatMap((variant) => {
    const properties = pairOf(pairOf(variant, "payloadSchema")?.value, "properties")?.value;
    return properties?.kind === "mapping" ? properties.pairs.map((pair) => pair.key) : [];
  });
  return [...new Set(names)];
}
