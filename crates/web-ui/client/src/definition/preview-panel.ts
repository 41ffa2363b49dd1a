/** The documentation as its page would show it, made by the server from the text. */

import { ask } from "../page/api";
import { el } from "../page/dom";
import { jsonText } from "../source/json-text";
import type { Source } from "../source/tree";

const PAUSE_MS = 400;

export class PreviewPanel {
  readonly element: HTMLDetailsElement;
  private readonly page = el("div", { class: "documentation" });
  private timer: number | undefined;
  private running: AbortController | null = null;

  constructor(private readonly source: () => Source, private readonly id: () => string) {
    this.element = el("details", { class: "preview" }, el("summary", {}, "Preview of the page"), this.page);
    this.element.addEventListener("toggle", () => this.soon(0));
  }

  /** The text has changed; nothing is asked while the preview is closed. */
  soon(delayMs = PAUSE_MS): void {
    window.clearTimeout(this.timer);
    if (this.element.open) this.timer = window.setTimeout(() => void this.render(), delayMs);
  }

  /** Asks no more. */
  end(): void {
    window.clearTimeout(this.timer);
    this.running?.abort();
  }

  private async render(): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const { root } = this.source();
    if (root?.kind !== "mapping") return;
    const body = `{"workerTypeId":${JSON.stringify(this.id() || "unnamed/unnamed")},"definition":${jsonText(root)}}`;
    try {
      const { html } = await ask<{ html: string }>("/preview", { method: "POST", body, signal: running.signal });
      // The server leaves nothing in it that acts.
      this.page.innerHTML = html;
    } catch (error) {
      if (!running.signal.aborted) this.page.replaceChildren(el("p", { class: "note" }, error instanceof Error ? error.message : String(error)));
    }
  }
}
