/** The worker types that there are, for those who name one. */

import type { Named } from "../editor/assistance";
import { ask } from "./api";

interface Listed {
  readonly workerTypes: readonly { readonly workerTypeId: string; readonly description: string }[];
}

/** How long a list is good for. */
const FRESH_MS = 30_000;

export class WorkerTypeNames {
  private listed: Promise<readonly Named[]> | null = null;
  private at = 0;

  constructor(private readonly api: string) {}

  all(): Promise<readonly Named[]> {
    if (this.listed === null || Date.now() - this.at > FRESH_MS) {
      this.at = Date.now();
      this.listed = this.fetch();
    }
    return this.listed;
  }

  private async fetch(): Promise<readonly Named[]> {
    try {
      const { workerTypes } = await ask<Listed>(`${this.api}/worker-types?limit=1000`);
      return workerTypes.map(({ workerTypeId, description }) => ({ name: workerTypeId, detail: description }));
    } catch {
      this.listed = null;
      return [];
    }
  }
}
