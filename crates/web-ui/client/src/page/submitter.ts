/** Submits a task: the verdict first, and what the queue would refuse or warn of is not sent unasked. */

import { jsonText } from "../source/json-text";
import { slugid } from "../source/slugid";
import { Refused, ask, tokenForm } from "./api";
import { button, el } from "./dom";
import { Notices } from "./notices";
import type { Workbench } from "./workbench";

export class Submitter {
  readonly element: HTMLElement;
  private readonly notices = new Notices();
  private readonly start = button("Submit task", () => void this.submit(), { class: "primary" });

  constructor(private readonly bench: Workbench, private readonly queue: string, private readonly done: () => void) {
    this.element = el("div", {}, el("div", { class: "actions" }, this.start), this.notices.element);
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
    // One id for all attempts: an answer that was lost does not make two tasks.
    const id = slugid();
    const send = (): void => void this.put(id, jsonText(root));
    // Where nothing can be checked, and nothing is found, there is nothing to ask.
    const clean = report !== null && report.outcome !== "invalid" && !report.findings.some((finding) => finding.severity === "error" || report.outcome === "unchecked");
    if (clean) send();
    else this.confirm(report?.summary ?? "Nobody could check the task now.", send);
  }

  private confirm(reason: string, send: () => void): void {
    const back = (): void => {
      this.notices.clear("submit");
      this.bench.editor.view.focus();
    };
    this.say(`${reason} `, button("Submit it all the same", send), " ", button("Go back to the text", back));
  }

  private async put(id: string, body: string): Promise<void> {
    this.notices.say("submit", "note", "The queue is asked…");
    try {
      await ask(`${this.queue}/task/${id}`, { method: "PUT", body });
      this.done();
      location.assign(`/tasks/${id}`);
    } catch (error) {
      const again = (): void => void this.put(id, body);
      if (error instanceof Refused && error.wantsToken !== null) {
        this.notices.say("submit", "note", tokenForm(error.wantsToken, error.message, again));
        return;
      }
      const items = error instanceof Refused ? error.problem.errors : [];
      const reason = items.length > 0 ? el("ul", {}, ...items.map((item) => el("li", {}, item.message))) : `${error instanceof Error ? error.message : String(error)} `;
      this.say("The queue did not create the task: ", reason, button("Try again", again));
    }
  }

  private say(...content: readonly (Node | string)[]): void {
    this.notices.say("submit", "alert", ...content);
  }
}
