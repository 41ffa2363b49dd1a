/** What a new definition begins with, and what of it nobody has put their own words in the place of. */

import type { Finding } from "../editor/report";
import { type Node, stringUnder } from "../source/tree";
import { NAMELESS, WORDS } from "./outline";

const DESCRIPTION = "What it is for, in one line.";
const OWNER = "you@example.com";
const DOCUMENTATION = "What authors read first.";

export const TEMPLATE = `description: ${DESCRIPTION}
owner: ${OWNER}
documentation: |
  ${NAMELESS}

  ${DOCUMENTATION}
validation: warn
variants:
  - name: default
    payloadSchema:
      $schema: http://json-schema.org/draft-07/schema#
      type: object
      properties: {}
`;

/** Lines of documentation that say what should stand there. */
const ADVICE = new Set([NAMELESS, DOCUMENTATION, ...WORDS]);

/** A finding for each field in which the template, or the outline, still stands. */
export function placeholders(definition: Node | null): Finding[] {
  const found: Finding[] = [];
  if (stringUnder(definition, "description") === DESCRIPTION) found.push(left("placeholder", "/description", "say what it is for, in one line"));
  if (stringUnder(definition, "owner") === OWNER) found.push(left("placeholder", "/owner", "say who answers for it"));
  const lines = (stringUnder(definition, "documentation") ?? "").split("\n").filter((line) => ADVICE.has(line.trim()));
  const [first] = lines;
  if (first !== undefined) found.push(left("placeholder-lines", "/documentation", `write what authors should know, in the place of “${first.trim()}”${lines.length > 1 ? ` and ${lines.length - 1} more` : ""}`));
  return found;
}

function left(problem: string, pointer: string, advice: string): Finding {
  const message = `${pointer.slice(1)} still has the template's words: ${advice}`;
  return { severity: "warning", problem, pointer, message, expected: null, suggestion: null, description: null };
}
