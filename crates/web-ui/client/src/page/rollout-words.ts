/** What two live revisions say of one task, in words. */

type Outcome = "valid" | "invalid" | "unchecked";

/** How a verdict came about while a rollout is open. */
export interface Rollout {
  readonly policy: string;
  /** What each live revision says by itself, older first. */
  readonly revisions: readonly { readonly revision: number; readonly verdict: Outcome }[];
}

const DOES: Readonly<Record<Outcome, string>> = { valid: "accepts it", invalid: "refuses it", unchecked: "cannot say without a schema" };
const BOTH_DO: Readonly<Record<Outcome, string>> = { valid: "accept this task", invalid: "refuse this task", unchecked: "cannot say without a schema" };

/** Which revision accepts and which refuses, and what that comes to: whole sentences, the first begins small. */
export function inRollout(workerTypeId: string, { policy, revisions }: Rollout): string {
  const open = `a ${policy} rollout of ${workerTypeId} is open`;
  const [older, newer] = revisions;
  if (older === undefined || newer === undefined) return `${open}.`;
  if (older.verdict === newer.verdict) return `${open}, and both revisions, ${older.revision} and ${newer.revision}, ${BOTH_DO[older.verdict]}.`;
  // What decides comes first.
  const [first, other] = (older.verdict === "invalid") === (policy === "strict") ? [older, newer] : [newer, older];
  const each = `revision ${first.revision} ${DOES[first.verdict]}, revision ${other.revision} ${DOES[other.verdict]}`;
  if (policy === "strict") return `${open}: both must accept a task; ${each}.`;
  const later = newer.verdict === "invalid" ? ` When the rollout is complete, it is refused.` : "";
  return `${open}: ${each}, and one of them is enough.${later}`;
}
