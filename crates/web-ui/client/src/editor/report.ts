/** What a service says of a document. */

import type { Item } from "../page/api";
import type { Change, Node } from "../source/tree";

export type Severity = "error" | "warning" | "info";

/** What would mend a fault, worked out on the text as it is when one asks for it. */
export interface Mend {
  readonly name: string;
  changes(root: Node | null, text: string): readonly Change[];
}

export interface Finding {
  readonly severity: Severity;
  readonly problem: string;
  readonly pointer: string;
  readonly message: string;
  readonly expected: string | null;
  readonly suggestion: string | null;
  readonly description: string | null;
  readonly mend?: Mend;
}

export interface Report {
  readonly outcome: "valid" | "invalid" | "unchecked";
  /** One line for the reader. */
  readonly summary: string;
  readonly findings: readonly Finding[];
}

export function finding(item: Item, severity: Severity): Finding {
  const { problem, pointer, message, expected, suggestion, description } = item;
  return { severity, problem, pointer, message, expected, suggestion, description };
}
