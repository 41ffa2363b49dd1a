/** What the page has to say beside the text: one notice for each matter, new words replacing the old. */

import { el } from "./dom";

export type Tone = "note" | "alert";

export class Notices {
  readonly element = el("div", { class: "notices" });
  private readonly standing = new Map<string, HTMLElement>();

  say(matter: string, tone: Tone, ...content: readonly (Node | string)[]): void {
    const notice = el("div", { class: tone === "alert" ? "notice warning" : "notice", role: tone === "alert" ? "alert" : "status" });
    this.clear(matter);
    this.standing.set(matter, notice);
    this.element.append(notice);
    notice.append(...content);
  }

  clear(matter: string): void {
    this.standing.get(matter)?.remove();
    this.standing.delete(matter);
  }
}
