/** The list of proposals, for those who scroll by the keyboard. */

import { EditorView } from "@codemirror/view";

/** A list that scrolls can be focused, as every region that scrolls must (WCAG 2.1.1); the editor makes it anew at each change. */
export const scrollableProposals = EditorView.updateListener.of(({ view }) => {
  for (const list of view.dom.querySelectorAll<HTMLElement>(".cm-tooltip-autocomplete > ul")) list.tabIndex = 0;
});
