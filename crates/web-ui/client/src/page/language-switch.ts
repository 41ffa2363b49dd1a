/** JSON or YAML: the switch turns the text into the other one. */

import { read } from "../source/read";
import { hasComments } from "../source/read-yaml";
import { jsonText } from "../source/json-text";
import type { Language, Source } from "../source/tree";
import { yamlText } from "../source/yaml-text";
import type { Editor } from "../editor/editor";
import { button, el } from "./dom";
import type { Notices } from "./notices";

const NAMES: Readonly<Record<Language, string>> = { json: "JSON", yaml: "YAML" };

export class LanguageSwitch {
  readonly element = el("div", { class: "switch", role: "group", "aria-label": "Language" });
  private readonly buttons: readonly (readonly [Language, HTMLButtonElement])[];

  constructor(private readonly editor: Editor, private readonly notices: Notices, private readonly changed: () => void) {
    const make = (language: Language) => [language, button(NAMES[language], () => this.choose(language))] as const;
    this.buttons = [make("json"), make("yaml")];
    this.element.append(...this.buttons.map(([, element]) => element));
    this.show();
  }

  show(): void {
    for (const [language, element] of this.buttons) element.setAttribute("aria-pressed", String(language === this.editor.language));
  }

  private choose(language: Language): void {
    this.notices.clear("language");
    if (language === this.editor.language) return;
    const source = read(this.editor.text, this.editor.language);
    if (source.faults.length > 0 && this.editor.text.trim() !== "") return this.refuse(language, source.faults);
    const text = this.editor.text;
    const comments = this.editor.language === "yaml" && hasComments(text);
    if (!comments) {
      this.convert(language);
      return;
    }
    this.notices.say(
      "language", "alert", "JSON has no comments: those in the text would be lost. ",
      button("Turn into JSON without comments", () => this.convert(language)), " ",
      button("Stay with YAML", () => this.notices.clear("language")),
    );
  }

  /** What is half understood is not turned into something else, and errors do not go away by another name. */
  private refuse(language: Language, faults: Source["faults"]): void {
    const { text } = this.editor;
    const reason = `The text cannot be turned into ${NAMES[language]} while it has errors of syntax: ${faults[0]?.message ?? ""}. Mend them first (F8 leads there). `;
    const ways = isWrittenIn(text, language) ? [button(`It is ${NAMES[language]} already: leave it as it is`, () => this.accept(language))] : [];
    this.notices.say("language", "alert", reason, ...ways);
  }

  /** The text stays, and is read as the other language from now on. */
  private accept(language: Language): void {
    this.notices.clear("language");
    this.editor.replace(this.editor.text, language);
    this.show();
    this.changed();
  }

  private convert(language: Language): void {
    this.notices.clear("language");
    const { root } = read(this.editor.text, this.editor.language);
    this.editor.replace(language === "json" ? `${jsonText(root, true)}\n` : yamlText(root), language);
    this.show();
    this.changed();
  }
}

/**
 * Whether a text is another language than the switch says: without fault in it, and more than a word. Nearly all JSON with
 * a fault is YAML without one: only what has no braces around it was meant as YAML.
 */
export function isWrittenIn(text: string, language: Language): boolean {
  const { root, faults } = read(text, language);
  return faults.length === 0 && root !== null && root.kind !== "scalar" && (language === "json" || !root.flow);
}
