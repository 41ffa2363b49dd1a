/** What worker-manager answers about definitions, as far as the page reads it. */

import type { Item } from "../page/api";

export interface Finding {
  readonly effect: "tightened" | "loosened" | "unknown" | "documentation";
  readonly pointer: string;
  readonly message: string;
  readonly oldFragment?: unknown;
  readonly newFragment?: unknown;
  readonly variant?: string | null;
}

export interface Compatibility {
  readonly verdict: "compatible" | "breaking" | "unknown";
  readonly against: readonly number[];
  readonly witness?: unknown;
  readonly witnessIsTask?: boolean;
  readonly findings: readonly Finding[];
  /** Where a rollout begins: the same once it has ended. */
  readonly afterRollout?: Compatibility;
}

export interface Coverage {
  readonly complete: boolean;
  readonly properties: number;
  readonly undescribed: readonly string[];
  readonly unmentioned: readonly string[];
  readonly withoutExample: readonly string[];
  readonly deadLinks: readonly string[];
}

export interface Replay {
  readonly checked: number;
  readonly newlyRejected: readonly { readonly index: number; readonly errors: readonly Item[] }[];
  readonly newlyAccepted: number;
}

export interface CheckReport {
  readonly gate: { readonly ok: boolean; readonly errors: readonly Item[]; readonly warnings: readonly Item[] };
  readonly compatibility?: Compatibility;
  readonly documentation?: Coverage;
  readonly replay?: Replay;
}
