/** The other's revision beside one's own text, to be merged. Loaded only when it is needed. */

import { MergeView } from "@codemirror/merge";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { look } from "../editor/look";
import { button, el } from "../page/dom";
import type { Language } from "../source/tree";

export interface Sides {
  /** What is live now. */
  readonly theirs: string;
  readonly mine: string;
  readonly language: Language;
  readonly title: string;
}

export interface Ways {
  /** The merged text goes back into the editor. */
  use(): void;
  close(): void;
}

export class MergePanel {
  readonly element: HTMLElement;
  readonly language: Language;
  private readonly view: MergeView;
  private readonly told = el("div", { role: "alert" });

  constructor({ theirs, mine, language, title }: Sides, { use, close }: Ways) {
    this.language = language;
    const pane = el("div", { class: "pane" });
    const common = [
      EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ""),
      language === "json" ? json() : yaml(), look, lineNumbers(), EditorView.lineWrapping,
    ];
    const named = (label: string) => EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label });
    this.view = new MergeView({
      parent: pane,
      a: { doc: ended(theirs), extensions: [...common, named("Live now"), EditorState.readOnly.of(true)] },
      b: { doc: ended(mine), extensions: [...common, named("Your text"), history(), keymap.of([...defaultKeymap, ...historyKeymap])] },
      revertControls: "a-to-b",
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
    });
    this.element = el(
      "section", { class: "merge", "aria-label": "Merge" },
      el("h2", {}, title),
      el("p", { class: "quiet" }, "On the left what is live now, on the right your text. The arrows between them take the other's change over; the right side can be edited."),
      pane, this.told,
      el("div", { class: "actions" }, button("Use the right side", use, { class: "primary" }), " ", button("Close without a change", close)),
    );
  }

  /** The right side as it is now. */
  get text(): string {
    return this.view.b.state.doc.toString();
  }

  /** Words beside the buttons, in the place of earlier ones. */
  tell(...content: readonly (Node | string)[]): void {
    this.told.replaceChildren(el("div", { class: "notice warning" }, ...content));
  }

  remove(): void {
    this.view.destroy();
    this.element.remove();
  }
}

/** With one line break at its end: without, the last lines differ though they read the same. */
export function ended(text: string): string {
  return `${text.replace(/\n+$/, "")}\n`;
}
