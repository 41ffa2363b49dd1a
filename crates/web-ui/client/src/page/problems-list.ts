/** The problems of a text as a list that the keyboard reaches, and their number for those who hear the page. */

import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { button, el } from "./dom";

/** Entries that are listed. */
const MOST = 100;

export class ProblemsList {
  readonly element: HTMLElement;
  private readonly count = el("p", { role: "status", class: "count" });
  private readonly list = el("ol");
  private shown = "";

  constructor(private readonly view: EditorView) {
    this.element = el("section", { class: "problems", "aria-label": "Problems" }, this.count, this.list);
  }

  show(marks: readonly Diagnostic[]): void {
    const places = marks.slice(0, MOST).map((mark) => {
      const line = this.view.state.doc.lineAt(mark.from);
      return { mark, at: `${line.number}:${mark.from - line.from + 1}` };
    });
    // The list is left alone while it stays the same, so that whoever walks through it is not thrown out.
    const next = JSON.stringify(places.map(({ mark, at }) => [mark.severity, at, mark.message]));
    if (next === this.shown) return;
    this.shown = next;
    const errors = marks.filter((mark) => mark.severity === "error").length;
    const text = counted(errors, marks.length - errors);
    if (this.count.textContent !== text) this.count.textContent = text;
    this.list.replaceChildren(...places.map(({ mark, at }) => this.entry(mark, at)));
  }

  private entry(mark: Diagnostic, at: string): HTMLElement {
    const jump = button("", () => this.jump(mark), { class: "jump" });
    jump.append(el("span", { class: "place" }, at), " ", el("span", { class: "message" }, mark.message));
    const entry = el("li", { class: mark.severity }, jump);
    for (const action of mark.actions ?? []) {
      entry.append(" ", button(action.name, () => action.apply(this.view, mark.from, mark.to), { class: "secondary fix" }));
    }
    return entry;
  }

  private jump(mark: Diagnostic): void {
    const length = this.view.state.doc.length;
    this.view.dispatch({
      selection: { anchor: Math.min(mark.from, length), head: Math.min(mark.to, length) },
      scrollIntoView: true,
    });
    this.view.focus();
  }
}

function counted(errors: number, others: number): string {
  if (errors + others === 0) return "No problems";
  const parts = [errors === 1 ? "1 error" : errors > 1 ? `${errors} errors` : "", others === 1 ? "1 warning" : others > 1 ? `${others} warnings` : ""];
  return parts.filter((part) => part !== "").join(", ");
}
