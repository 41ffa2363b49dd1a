/**
 * Has a text checked while it is written: shortly after the last key, one question at a time, patient with a service
 * that is away.
 */

import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { Away, Refused } from "../page/api";
import { read } from "../source/read";
import type { Language, Source } from "../source/tree";
import { diagnostics } from "./diagnostics";
import type { Report } from "./report";

/** From the last key to the question. */
const PAUSE_MS = 100;
/** What takes longer is shown to be in progress. */
const NOTICED_MS = 300;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

/** Asks the service about what could be understood. */
export type Check = (source: Source, signal: AbortSignal) => Promise<Report>;

export interface Listener {
  /** The marks of the text as it is now; no report while nothing but its syntax is known. */
  checked(marks: readonly Diagnostic[], report: Report | null, source: Source): void;
  /** The service does not answer; it is asked again after so many milliseconds. */
  away(reason: string, retryMs: number): void;
  refused(refused: Refused): void;
  /** An answer takes its time. */
  waiting(): void;
  /** It answers again. */
  back(): void;
}

export class Checking {
  private timer: number | undefined;
  private running: AbortController | null = null;
  private retryMs = FIRST_RETRY_MS;
  private isAway = false;

  constructor(
    private readonly view: EditorView,
    private readonly language: () => Language,
    private readonly check: Check,
    private readonly listener: Listener,
  ) {}

  /** The text has changed. */
  soon(delayMs = PAUSE_MS): void {
    window.clearTimeout(this.timer);
    this.running?.abort();
    this.running = null;
    this.timer = window.setTimeout(() => void this.now(), delayMs);
  }

  /** Asks no more. */
  end(): void {
    window.clearTimeout(this.timer);
    this.running?.abort();
  }

  /** Asks at once; the report, or none where the service gave none. */
  async now(): Promise<Report | null> {
    window.clearTimeout(this.timer);
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const text = this.view.state.doc.toString();
    const language = this.language();
    const source = read(text, language);
    const noticed = window.setTimeout(() => {
      if (!running.signal.aborted) this.listener.waiting();
    }, NOTICED_MS);
    try {
      const report = await this.check(source, running.signal);
      // Somebody went on writing meanwhile.
      if (running.signal.aborted) return null;
      this.show(source, report, language);
      this.answered();
      return report;
    } catch (error) {
      if (running.signal.aborted) return null;
      this.show(source, null, language);
      this.failed(error);
      return null;
    } finally {
      window.clearTimeout(noticed);
    }
  }

  private show(source: Source, report: Report | null, language: Language): void {
    const marks = diagnostics(source, report?.findings ?? [], language, this.view.state.doc.length);
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    this.listener.checked(marks, report, source);
  }

  private answered(): void {
    this.retryMs = FIRST_RETRY_MS;
    if (this.isAway) this.listener.back();
    this.isAway = false;
  }

  private failed(error: unknown): void {
    if (error instanceof Refused) {
      this.answered();
      this.listener.refused(error);
      return;
    }
    if (!(error instanceof Away)) throw error;
    this.isAway = true;
    this.listener.away(error.message, this.retryMs);
    this.timer = window.setTimeout(() => void this.now(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }
}
