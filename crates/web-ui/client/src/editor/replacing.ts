/** Typing over a selection. */

import { EditorView } from "@codemirror/view";

/**
 * A browser that replaces coloured text by itself keeps its colour by an inline style, which the page's policy forbids and
 * reports. So the replacement is made here, by whatever else handles input first.
 */
export const replacing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main, ranges } = view.state.selection;
    const text = event.data;
    if (event.inputType !== "insertText" || text === null || event.isComposing || main.empty || ranges.length > 1) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, main.from, main.to, text, insert));
    if (!handled && !view.state.readOnly) view.dispatch(insert());
    return true;
  },
});
