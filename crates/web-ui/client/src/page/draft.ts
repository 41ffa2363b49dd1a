/** What one was writing, kept in this browser until it is published, submitted or discarded. */

import type { Language } from "../source/tree";

export interface Draft {
  readonly text: string;
  readonly language: Language;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** What it is a change of, where that can change meanwhile. */
  readonly base: string;
  /** Written by one who could not see all of what it is a change of: what is missing from it was not taken out. */
  readonly partial?: boolean;
}

export class Drafts {
  private readonly key: string;
  /** The newest that this page has read or written. */
  private seen = 0;

  /** `origin` tells apart what began elsewhere (a link, another task), so that none overwrites another's draft. */
  constructor(page: string, subject: string, origin = "") {
    this.key = `draft:${page}:${subject}${origin === "" ? "" : `#${origin}`}`;
  }

  load(): Draft | null {
    const draft = this.stored();
    if (draft !== null) this.seen = draft.savedAt;
    return draft;
  }

  /** Whether it was kept: a newer one from another tab is not overwritten. */
  save(draft: Omit<Draft, "savedAt">): boolean {
    const stored = this.stored();
    if (stored !== null && stored.savedAt > this.seen && stored.text !== draft.text) return false;
    const savedAt = Date.now();
    try {
      localStorage.setItem(this.key, JSON.stringify({ ...draft, savedAt }));
    } catch {
      return false;
    }
    this.seen = savedAt;
    return true;
  }

  /** From now on this page's text is the draft, whatever another tab wrote. */
  claim(): void {
    this.seen = Number.MAX_SAFE_INTEGER;
  }

  discard(): void {
    localStorage.removeItem(this.key);
  }

  private stored(): Draft | null {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(this.key) ?? "null");
      return isDraft(value) ? value : null;
    } catch {
      return null;
    }
  }
}

function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"
    && "savedAt" in value && typeof value.savedAt === "number" && "language" in value && (value.language === "json" || value.language === "yaml")
    && "base" in value && typeof value.base === "string";
}
