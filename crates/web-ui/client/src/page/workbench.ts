/** A text that is written and checked: the editor with its switch, draft, link, notices and problems. */

import { Checking, type Check } from "../editor/checking";
import { Editor } from "../editor/editor";
import type { Assistance } from "../editor/assistance";
import type { Report } from "../editor/report";
import { read } from "../source/read";
import type { Language, Source } from "../source/tree";
import { type Refused, tokenForm } from "./api";
import { button, el } from "./dom";
import type { Draft, Drafts } from "./draft";
import { LanguageSwitch } from "./language-switch";
import { Notices } from "./notices";
import { ProblemsList } from "./problems-list";
import { fragmentOf } from "./share";

export interface Start {
  readonly text: string;
  readonly language: Language;
  /** What its address asks for: `link:…`, `from:…`. Empty where the page begins with what it proposes itself. */
  readonly origin: string;
  /** What it is called behind "Start from". */
  readonly called: string;
}

export interface WorkbenchOptions {
  readonly label: string;
  readonly start: Start;
  /** Where drafts of this page are kept; what has an origin has drafts of its own, beside the page's. */
  readonly drafts: (origin: string) => Drafts;
  /** What the text is a change of. */
  readonly base: string;
  /** The text lacks what the reader may not see. */
  readonly partial?: boolean;
  /** What a draft is of, behind the time at which it was written; empty where that says enough. */
  subject?(source: Source): string;
  readonly assistance: Omit<Assistance, "language">;
  readonly check: Check;
  /** After every change, before the service is asked. */
  edited?(source: Source): void;
  /** The draft that was offered is the text now, and `base` is what that was a change of. */
  taken?(): void;
}

export class Workbench {
  readonly element: HTMLElement;
  readonly notices = new Notices();
  private readonly listeners: (() => void)[] = [];
  readonly bar = el("div", { class: "bar" });
  readonly editor: Editor;
  readonly checking: Checking;
  base: string;
  /** Whether the text was begun by one who could not see all of what it is a change of. */
  partial: boolean;
  private readonly problems: ProblemsList;
  private readonly verdict = el("p", { class: "verdict", role: "status" }, "Not checked yet.");
  private readonly switch: LanguageSwitch;
  private drafts: Drafts;

  constructor(mount: HTMLElement, private readonly options: WorkbenchOptions) {
    const { start } = options;
    this.drafts = options.drafts(start.origin);
    const draft = this.drafts.load();
    const restored = draft !== null && draft.text !== start.text ? draft : null;
    this.base = restored?.base ?? options.base;
    this.partial = options.partial === true || restored?.partial === true;
    const pane = el("div", { class: "pane" });
    const keys = el("p", { id: "editor-keys", class: "quiet" }, "Ctrl+Space proposes, F8 goes to the next problem; Escape, then Tab leaves the editor.");
    this.element = el("div", { class: "workbench" }, this.bar, this.notices.element, pane, keys);
    mount.replaceChildren(this.element);
    this.editor = new Editor(pane, {
      text: restored?.text ?? start.text,
      language: restored?.language ?? start.language,
      label: options.label,
      describedBy: "editor-keys",
      assistance: { language: () => this.editor.language, ...options.assistance },
      changed: () => this.changed(),
    });
    this.problems = new ProblemsList(this.editor.view);
    this.switch = new LanguageSwitch(this.editor, this.notices, () => this.changed());
    this.bar.append(this.switch.element, ...this.buttons());
    this.element.append(this.verdict, this.problems.element);
    this.checking = new Checking(this.editor.view, () => this.editor.language, options.check, {
      checked: (marks, report) => {
        this.problems.show(marks);
        this.tell(report);
      },
      away: (reason, retryMs) => this.away(reason, retryMs),
      refused: (refused) => this.refused(refused),
      waiting: () => {
        this.verdict.textContent = "It is being checked…";
        this.verdict.dataset["outcome"] = "waiting";
      },
      back: () => this.notices.clear("away"),
    });
    if (restored !== null) this.restoredNotice(restored);
    if (start.origin !== "") this.offer(options.drafts(""));
    this.options.edited?.(this.source);
    this.checking.soon(0);
  }

  get source(): Source {
    return read(this.editor.text, this.editor.language);
  }

  /** Replaces the text as if it had been written. */
  write(text: string, language: Language): void {
    this.editor.replace(text, language);
    this.switch.show();
  }

  /** While its text is on its way, it cannot be changed. */
  lock(locked: boolean): void {
    this.editor.lock(locked);
  }

  /** The text is a change of this from now on. */
  rebase(base: string): void {
    this.base = base;
    this.keep();
  }

  /** The text has reached where it was meant for. */
  forgetDraft(): void {
    this.drafts.discard();
  }

  /** Ends what goes on by itself. */
  end(): void {
    this.checking.end();
    this.editor.view.destroy();
  }

  /** The service refused something; a token may help. */
  refused(refused: Refused): void {
    if (refused.wantsToken === null) {
      this.notices.say("refused", "alert", refused.message);
      return;
    }
    this.notices.say("token", "note", tokenForm(refused.wantsToken, refused.message, () => {
      this.notices.clear("token");
      this.checking.soon(0);
    }));
  }

  /** Calls `told` at each change of the text. */
  onEdit(told: () => void): void {
    this.listeners.push(told);
  }

  private changed(): void {
    for (const told of this.listeners) told();
    this.notices.clear("refused");
    this.keep();
    this.options.edited?.(this.source);
    this.checking.soon();
  }

  private keep(): void {
    const { text, language } = this.editor;
    if (!this.drafts.save({ text, language, base: this.base, ...(this.partial ? { partial: true } : {}) })) this.notKept();
  }

  private notKept(): void {
    this.notices.say(
      "draft", "note", "This text is not kept as a draft: another tab has a newer one, or the browser's storage is full. ",
      button("Keep this one instead", () => {
        this.drafts.claim();
        this.notices.clear("draft");
        this.changed();
      }),
    );
  }

  private restoredNotice(draft: Draft): void {
    this.notices.say("draft", "note", `This is your draft of ${this.told(draft)}. `, this.startButton());
  }

  /** When a draft was written, and what it is of. */
  private told(draft: Draft): string {
    return `${when(draft)}${this.options.subject?.(read(draft.text, draft.language)) ?? ""}`;
  }

  /** The page's own draft is left where it is until it is taken or discarded. */
  private offer(drafts: Drafts): void {
    const draft = drafts.load();
    if (draft === null || draft.text === this.editor.text) return;
    this.notices.say(
      "offered", "note", `There is a draft of yours of ${this.told(draft)}. `,
      button("Go on with the draft", () => this.take(drafts)), " ",
      button("Discard that draft", () => {
        drafts.discard();
        this.notices.clear("offered");
      }),
    );
  }

  private take(drafts: Drafts): void {
    this.notices.clear("offered");
    const draft = drafts.load();
    if (draft === null) return;
    this.drafts = drafts;
    this.base = draft.base;
    this.partial = this.options.partial === true || draft.partial === true;
    // What is written now is the page's own, also after it is loaded again.
    const plain = new URL(location.href);
    plain.hash = "";
    if (plain.searchParams.has("from")) plain.searchParams.delete("from");
    history.replaceState(null, "", plain);
    this.write(draft.text, draft.language);
    this.restoredNotice(draft);
    this.options.taken?.();
  }

  private buttons(): HTMLElement[] {
    return [
      button("Copy", () => void this.copy(this.editor.text, "The text is in the clipboard.")),
      button("Copy link", () => void this.link()),
      button("Discard draft", () => this.discard()),
    ];
  }

  private startButton(): HTMLElement {
    return button(`Start from ${this.options.start.called}`, () => this.discard());
  }

  private discard(): void {
    const { start, base } = this.options;
    this.base = base;
    this.partial = this.options.partial === true;
    this.write(start.text, start.language);
    this.drafts.discard();
    this.notices.say("draft", "note", "The draft is discarded. Ctrl+Z in the editor brings its text back.");
  }

  private async link(): Promise<void> {
    const fragment = await fragmentOf({ text: this.editor.text, language: this.editor.language });
    history.replaceState(null, "", fragment);
    await this.copy(location.href, "The link to this text is in the clipboard and in the address bar. The text travels in the link itself.");
  }

  private async copy(text: string, done: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.notices.say("copied", "note", done);
    } catch {
      this.notices.say("copied", "note", "The browser does not let this page write to the clipboard; copy from the editor or the address bar.");
    }
  }

  private away(reason: string, retryMs: number): void {
    const words = `Nothing is checked now: ${reason}. Go on writing; the draft is kept in this browser. Asked again in ${retryMs / 1000} s.`;
    this.notices.say("away", "alert", words);
  }

  private tell(report: Report | null): void {
    const summary = report?.summary ?? "Not checked: the service gave no verdict.";
    if (this.verdict.textContent !== summary) this.verdict.textContent = summary;
    this.verdict.dataset["outcome"] = report?.outcome ?? "unchecked";
  }
}

function when({ savedAt }: Draft): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(savedAt);
}
