/** How the editor looks: colours are the page's, so that light and dark follow it. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--ed-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ed-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--ed-atom)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: "var(--ed-meta)" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--ground)" },
  ".cm-content": { caretColor: "var(--text)", fontFamily: "var(--mono)", fontSize: "0.9rem" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--ed-active)" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--ed-selection)",
  },
  ".cm-tooltip, .cm-panels": { color: "var(--text)", backgroundColor: "var(--ground)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--on-strong)", backgroundColor: "var(--strong)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1", color: "var(--quiet)", marginLeft: "1em" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-diagnostic": { borderLeftWidth: "4px" },
  ".cm-diagnosticAction": { color: "var(--on-strong)", backgroundColor: "var(--strong)" },
});

export const look = [THEME, syntaxHighlighting(COLOURS)];
