/** The text editor of the pages: JSON or YAML, numbered lines, search, undo; Tab indents until Escape is pressed. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, dropCursor, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, tooltips } from "@codemirror/view";
import type { Language } from "../source/tree";
import { type Assistance, completionSource, explanation } from "./assistance";
import { look } from "./look";
import { scrollableProposals } from "./proposals-list";
import { replacing } from "./replacing";

export interface EditorOptions {
  readonly text: string;
  readonly language: Language;
  /** What the editor is called for those who hear the page. */
  readonly label: string;
  /** The id of the element that says how the keyboard leaves it. */
  readonly describedBy: string;
  readonly assistance: Assistance;
  changed(): void;
}

export class Editor {
  readonly view: EditorView;
  private readonly grammar = new Compartment();
  private readonly access = new Compartment();
  private spoken: Language;

  constructor(parent: HTMLElement, options: EditorOptions) {
    this.spoken = options.language;
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: options.text,
        extensions: [this.grammar.of(grammarOf(options.language)), this.access.of([]), common(options)],
      }),
    });
  }

  get language(): Language {
    return this.spoken;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** While it is locked nobody can write in it. */
  lock(locked: boolean): void {
    this.view.dispatch({ effects: this.access.reconfigure(locked ? EditorState.readOnly.of(true) : []) });
  }

  /** Replaces the whole text; one undo brings the old one back. */
  replace(text: string, language: Language = this.spoken): void {
    this.spoken = language;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      effects: this.grammar.reconfigure(grammarOf(language)),
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }
}

function grammarOf(language: Language): Extension {
  return language === "json" ? json() : yaml();
}

function common(options: EditorOptions): Extension {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": options.label, "aria-describedby": options.describedBy }),
    EditorView.lineWrapping,
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    replacing,
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    tooltips({ position: "absolute" }),
    autocompletion({ override: [completionSource(options.assistance)], icons: false, activateOnTypingDelay: 50 }),
    scrollableProposals,
    explanation(options.assistance),
    look,
    keymap.of([
      { key: "F8", run: nextDiagnostic },
      { key: "Shift-F8", run: previousDiagnostic },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.changed();
    }),
  ];
}
