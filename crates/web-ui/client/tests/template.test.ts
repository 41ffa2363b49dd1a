/** What of the template still stands in a definition. */

import { expect, test } from "vitest";
import { outline } from "../src/definition/outline";
import { TEMPLATE, placeholders } from "../src/definition/template";
import { withField } from "../src/definition/with-field";
import { readYaml } from "../src/source/read-yaml";

const left = (text: string) => placeholders(readYaml(text).root).map(({ pointer }) => pointer);

test("each field of the template is told of until it has words of its own", () => {
  expect(left(TEMPLATE)).toEqual(["/description", "/owner", "/documentation"]);
  const described = TEMPLATE.replace(/^description: .*/, "description: Builds").replace("you@example.com", "builds@example.com");
  expect(left(described)).toEqual(["/documentation"]);
  expect(left(described.replace("What authors read first.", "Read this."))).toEqual(["/documentation"]);
  expect(left(described.replace("What authors read first.", "Read this.").replace("# Name of the worker type", "# Builds"))).toEqual([]);
});

test("the outline's advice is told of as well, with how much of it stands", () => {
  const before = "description: Builds\nowner: builds@example.com\n";
  const { root } = readYaml(before);
  const text = withField(before, root, "documentation", outline("p/w", root), "yaml") ?? "";
  const [found, ...others] = placeholders(readYaml(text).root);
  expect(others).toEqual([]);
  // Eight headings have advice below them, and there is no property to tabulate.
  expect(found?.message).toContain("“What runs well here. Which worker type to use for what does not.” and 8 more");
});

test("words that only contain the template's are somebody's own", () => {
  expect(left("description: 'What it is for, in one line. And more.'\nowner: not-you@example.com\n")).toEqual([]);
});
