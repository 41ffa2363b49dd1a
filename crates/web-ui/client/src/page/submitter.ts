/** Submits a task: the verdict first, and what the queue would refuse or warn of is not sent unasked. */

import type { Report } from "../editor/report";
import { jsonText } from "../source/json-text";
import { slugid } from "../source/slugid";
import { Refused, ask, tokenForm } from "./api";
import { button, el } from "./dom";
import { Notices } from "./notices";
import { renewedTimes } from "./renewed-times";
import { INVALID_TIME } from "./time-rules";
import type { Workbench } from "./workbench";

interface Attempt {
  readonly id: string;
  readonly body: string;
}

export class Submitter {
  readonly element: HTMLElement;
  private readonly notices = new Notices();
  private readonly start = button("Submit task", () => void this.submit(), { class: "primary" });

  /** The last that was sent: whose answer was lost may have been created, and is sent again under the same id. */
  private attempt: Attempt | null = null;

  constructor(private readonly bench: Workbench, private readonly queue: string) {
    this.element = el("div", {}, el("div", { class: "actions" }, this.start), this.notices.element);
    // What was said of an earlier text is not said of this one. While one is on its way, it cannot be changed.
    bench.onEdit(() => this.notices.clear("submit"));
  }

  private async submit(): Promise<void> {
    this.notices.clear("submit");
    this.start.disabled = true;
    const report = await this.bench.checking.now();
    this.start.disabled = false;
    const { root, faults } = this.bench.source;
    if (faults.length > 0) {
      this.say(`Not submitted: the text has errors of syntax, the first of them: ${faults[0]?.message ?? ""} (F8 leads there).`);
      return;
    }
    const body = jsonText(root);
    const attempt = this.attempt?.body === body ? this.attempt : { id: slugid(), body };
    const send = (): void => void this.put(attempt);
    // Where nothing can be checked, and nothing is found, there is nothing to ask.
    const clean = report !== null && report.outcome !== "invalid" && !report.findings.some((finding) => finding.severity === "error" || report.outcome === "unchecked");
    if (clean) send();
    else this.confirm(report, send);
  }

  private confirm(report: Report | null, send: () => void): void {
    const back = (): void => {
      this.notices.clear("submit");
      this.bench.editor.view.focus();
    };
    const renewals = (report?.findings ?? []).some(({ mend, problem }) => problem === INVALID_TIME && mend !== undefined) ? [this.renewal(), " "] : [];
    const reason = report?.summary ?? "Nobody could check the task now.";
    this.say(`${reason} `, ...renewals, button("Submit it all the same", send), " ", button("Go back to the text", back));
  }

  private renewal(): HTMLElement {
    return button("Set times to now and submit", () => {
      const { editor, source } = this.bench;
      editor.view.dispatch({ changes: renewedTimes(source.root, editor.text) });
      void this.submit();
    });
  }

  private async put(attempt: Attempt): Promise<void> {
    const { bench } = this;
    const { id, body } = attempt;
    this.attempt = attempt;
    this.notices.say("submit", "note", "The queue is asked…");
    this.start.disabled = true;
    bench.lock(true);
    try {
      await ask(`${this.queue}/task/${id}`, { method: "PUT", body });
      // A button may have changed the text meanwhile: that is no part of the task.
      if (jsonText(bench.source.root) === body) {
        bench.forgetDraft();
        location.assign(`/tasks/${id}`);
      } else {
        this.notices.say("submit", "note", "The task was created without what was changed meanwhile. ", el("a", { href: `/tasks/${id}` }, "Show the task"));
      }
    } catch (error) {
      const again = button("Try again", () => void this.put(attempt));
      if (error instanceof Refused && error.wantsToken !== null) {
        this.notices.say("submit", "note", tokenForm(error.wantsToken, error.message, () => void this.put(attempt)));
        return;
      }
      const items = error instanceof Refused ? error.problem.errors : [];
      const reason = items.length > 0 ? el("ul", {}, ...items.map((item) => el("li", {}, item.message))) : `${error instanceof Error ? error.message : String(error)} `;
      // What the queue does not take as it is, it does not take the next time either.
      const stays = error instanceof Refused && error.problem.status < 500;
      const ways = stays ? (items.some(({ problem }) => problem === INVALID_TIME) ? [this.renewal()] : []) : [again];
      this.say("The queue did not create the task: ", reason, ...ways);
    } finally {
      this.start.disabled = false;
      bench.lock(false);
    }
  }

  private say(...content: readonly (Node | string)[]): void {
    this.notices.say("submit", "alert", ...content);
  }
}
