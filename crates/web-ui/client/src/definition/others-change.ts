/** Another's change of the definition that is written here: told of, shown beside the text, merged into it. */

import { Refused, tokenForm } from "../page/api";
import { changeWords } from "../page/change-words";
import { button, el } from "../page/dom";
import type { Change } from "../page/feed";
import type { Workbench } from "../page/workbench";
import type { LiveDefinition } from "./live-definition";
import type { MergePanel } from "./merge-panel";

export interface Editing {
  readonly bench: Workbench;
  /** Reads what is live now. */
  read(): Promise<LiveDefinition>;
}

export class OthersChange {
  readonly element = el("div");
  private panel: MergePanel | null = null;
  /** The text that the right side began as. */
  private began = "";
  private turn = 0;

  constructor(private readonly editing: Editing) {}

  /** The text is left alone. */
  hear(change: Change): void {
    const { kind, generation } = change;
    const { bench } = this.editing;
    if (kind === "worker-type-deleted") return bench.base === "" ? undefined : this.gone();
    if (generation === undefined || generation <= Number(bench.base)) return;
    this.changed(change);
    // What it would break is asked about what is live now.
    bench.checking.soon(0);
  }

  /** Says what was done since the text was begun. */
  changed(change: Change): void {
    this.say("note", `${changeWords(change, "since you began")} Your text is left alone. `, button("Show both", () => void this.show()));
  }

  /** Shows what is live now beside the text; what was merged before stays on the right. */
  async show(): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    try {
      const [loaded, live] = await Promise.all([import("./merge-panel"), this.editing.read()]);
      if (turn === this.turn) this.open(loaded.MergePanel, live);
    } catch (error) {
      if (turn === this.turn) this.unread(error);
    }
  }

  end(): void {
    this.turn += 1;
    this.panel?.remove();
    this.panel = null;
  }

  private open(Panel: typeof MergePanel, live: LiveDefinition): void {
    const { editor, notices } = this.editing.bench;
    notices.clear("other");
    const language = this.panel?.language ?? editor.language;
    const mine = this.panel?.text ?? editor.text;
    if (this.panel === null) this.began = editor.text;
    this.panel?.remove();
    const why = live.message === "" ? "" : `: “${live.message}”`;
    const title = `Live now is revision ${live.revision} by ${live.publishedBy}${why}`;
    const panel = new Panel({ theirs: live.text(language), mine, language, title }, { use: () => this.use(panel, live), close: () => this.end() });
    this.panel = panel;
    this.element.replaceChildren(panel.element);
    panel.element.scrollIntoView({ block: "start" });
  }

  private use(panel: MergePanel, live: LiveDefinition): void {
    if (this.editing.bench.editor.text === this.began) return this.merged(panel, live);
    panel.tell(
      "The text above was changed since the right side was taken from it, and would be replaced. ",
      button("Use the right side all the same", () => this.merged(panel, live)), " ",
      button("Begin again with the text above", () => {
        this.end();
        void this.show();
      }),
    );
  }

  private merged(panel: MergePanel, live: LiveDefinition): void {
    const { bench } = this.editing;
    bench.base = live.generation;
    bench.partial = live.hidesPool;
    bench.write(panel.text, panel.language);
    this.end();
    bench.notices.say("publish", "note", `The text is now a change of revision ${live.revision}. Check it, then publish it again.`);
    bench.editor.view.focus();
  }

  private unread(error: unknown): void {
    if (error instanceof Refused && (error.problem.status === 410 || error.problem.status === 404)) return this.gone();
    const words = `What is live now could not be read: ${error instanceof Error ? error.message : String(error)}`;
    const again = (): void => void this.show();
    if (error instanceof Refused && error.wantsToken !== null) this.say("note", tokenForm(error.wantsToken, words, again));
    else this.say("alert", `${words}. Your text is left alone. `, button("Try again", again));
  }

  /** Nothing is live under this id any more. */
  private gone(): void {
    const { bench } = this.editing;
    this.say("alert", "This worker type was deleted since you began. Your text is left alone. ", button("Let the text bring it back", () => {
      bench.rebase("");
      this.say("note", "Publishing brings the worker type back, as this text says; its history goes on.");
    }));
  }

  private say(tone: "note" | "alert", ...content: readonly (Node | string)[]): void {
    this.editing.bench.notices.say("other", tone, ...content);
  }
}
