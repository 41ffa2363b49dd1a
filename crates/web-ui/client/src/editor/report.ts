/** What a service says of a document. */

import type { Item } from "../page/api";

export type Severity = "error" | "warning" | "info";

export interface Finding {
  readonly severity: Severity;
  readonly problem: string;
  readonly pointer: string;
  readonly message: string;
  readonly expected: string | null;
  readonly suggestion: string | null;
  readonly description: string | null;
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
