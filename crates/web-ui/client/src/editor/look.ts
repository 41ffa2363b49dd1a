/** How the editor looks: colours are the page's, so that light and dark follow it. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--ed-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ed-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--ed-atom)" },
  { tag: tags.comment, color: "var(--ed-comment)", fontStyle: "italic" },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: "var(--ed-meta)" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--ed-text)", backgroundColor: "var(--ed-ground)" },
  ".cm-content": { caretColor: "var(--ed-text)", fontFamily: "var(--ed-mono)", fontSize: "0.9rem" },
  ".cm-gutters": { backgroundColor: "var(--ed-gutter)", color: "var(--ed-comment)", borderRight: "1px solid var(--ed-line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--ed-active)" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--ed-text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--ed-selection)",
  },
  ".cm-tooltip, .cm-panels": { color: "var(--ed-text)", backgroundColor: "var(--ed-raised)", border: "1px solid var(--ed-line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--ed-chosen-text)", backgroundColor: "var(--ed-chosen)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1", color: "var(--ed-comment)", marginLeft: "1em" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-diagnostic": { borderLeftWidth: "4px" },
  ".cm-diagnosticAction": { color: "var(--ed-chosen-text)", backgroundColor: "var(--ed-chosen)" },
});

export const look = [THEME, syntaxHighlighting(COLOURS)];
