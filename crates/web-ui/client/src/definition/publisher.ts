/** Publishes a definition: with its message, on the state that it is a change of, and never twice or over another's. */

import { Refused, ask, tokenForm } from "../page/api";
import { button, el } from "../page/dom";
import { jsonText } from "../source/json-text";
import { Notices } from "../page/notices";
import { pairOf } from "../source/tree";
import type { Workbench } from "../page/workbench";
import type { Compatibility } from "./shapes";
import { placeholders } from "./template";

export interface Publishing {
  readonly api: string;
  readonly bench: Workbench;
  /** Why nothing can be published under the id; empty where it can. */
  refusal(): string;
  id(): string;
  /** The generation that the text is a change of; empty where nothing is live. */
  generation(): string;
  /** Whether the text was written without sight of a pool that there is. */
  lacksPool(): boolean;
  /** What the service found when it refused. */
  breaks(compatibility: Compatibility): void;
  /** Somebody else was faster. */
  lost(): Promise<void>;
  done(published: Published): void;
}

export interface Published {
  readonly id: string;
  readonly generation: number;
  readonly revision: number;
  /** The text that it is. */
  readonly text: string;
}

interface Consent {
  readonly breaking: boolean;
  readonly rollout: boolean;
  /** That the template's words are meant. */
  readonly placeholders: boolean;
}

/** A comparison may take its time. */
const PATIENCE_MS = 60_000;

const CAREFUL: Consent = { breaking: false, rollout: false, placeholders: false };

export class Publisher {
  readonly element: HTMLElement;
  /** Beside the button, where the reader looks. */
  private readonly notices = new Notices();
  private readonly message = el("input", { type: "text", name: "message", maxlength: "1000", autocomplete: "off" });
  private readonly replaces = el("input", { type: "checkbox", name: "replaces" });
  private readonly rollout = el(
    "p", { hidden: true }, el("label", {}, this.replaces, " Replace the open rollout: its newer revision is not live any more, this one takes its place beside the older"),
  );
  private readonly start = el("button", { type: "submit", class: "primary" }, "Publish");

  constructor(private readonly publishing: Publishing) {
    const form = el(
      "form", { class: "publish", "aria-label": "Publish" },
      el("label", {}, el("span", {}, "Message for the history"), this.message), this.start,
    );
    this.element = el("div", { class: "publishing" }, this.rollout, form, this.notices.element);
    publishing.bench.onEdit(() => this.notices.clear("missing"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.publish({ ...CAREFUL, rollout: !this.rollout.hidden && this.replaces.checked });
    });
  }

  /** Offers to replace an open rollout; what was chosen for one does not count for the next. */
  offerReplacement(isRolling: boolean): void {
    if (this.rollout.hidden !== isRolling) return;
    this.rollout.hidden = !isRolling;
    this.replaces.checked = false;
  }

  /** Says what is missing, until it is not. */
  private remind(words: string): void {
    this.notices.say("missing", "alert", words);
  }

  private async publish(consent: Consent): Promise<void> {
    const { bench, id } = this.publishing;
    this.notices.clear("publish");
    this.notices.clear("missing");
    const { root, faults } = bench.source;
    const refusal = this.publishing.refusal();
    if (refusal !== "") return this.remind(refusal);
    if (faults.length > 0) return this.remind(`Not published: the text has errors of syntax, the first of them ${faults[0]?.message ?? ""} (F8 leads there).`);
    if (this.publishing.lacksPool() && pairOf(root, "pool") === undefined) {
      return this.say("Not published: it would remove the pool configuration, without sight of which it was written. Above the text stands how to get it.");
    }
    if (consent.breaking && this.message.value.trim() === "") {
      this.message.focus();
      return this.say("Say in the message why tasks that are accepted now may be refused; then publish again.", this.breakingButton(consent));
    }
    const left = consent.placeholders ? [] : placeholders(root);
    if (left.length > 0) {
      return this.say("Not published yet: ", left.map(({ message }) => message).join("; "), ". Change it, or ",
        button("Publish it as it is", () => void this.publish({ ...consent, placeholders: true })));
    }
    this.start.disabled = true;
    this.notices.say("publish", "note", "It is being published…");
    const sent = { id: id(), text: bench.editor.text };
    bench.lock(true);
    try {
      const answer = await ask<Pick<Published, "generation" | "revision">>(this.url(consent), {
        method: "PUT", body: jsonText(root), headers: this.precondition(), patienceMs: PATIENCE_MS,
      });
      this.notices.clear("publish");
      this.publishing.done({ ...answer, ...sent });
    } catch (error) {
      this.notices.clear("publish");
      await this.refused(error, consent);
    } finally {
      this.start.disabled = false;
      bench.lock(false);
    }
  }

  private url({ breaking, rollout }: Consent): string {
    const query = new URLSearchParams();
    if (this.message.value.trim() !== "") query.set("message", this.message.value.trim());
    if (breaking) query.set("allowBreaking", "true");
    if (rollout) query.set("rollout", "replace");
    const { api, id } = this.publishing;
    return `${api}/worker-types/${id()}${query.size > 0 ? `?${query.toString()}` : ""}`;
  }

  private precondition(): Record<string, string> {
    const generation = this.publishing.generation();
    return generation === "" ? { "if-none-match": "*" } : { "if-match": `"g${generation}"` };
  }

  private async refused(error: unknown, consent: Consent): Promise<void> {
    const { bench } = this.publishing;
    if (!(error instanceof Refused)) return this.say(`Not published: ${error instanceof Error ? error.message : String(error)}. Nothing is lost; try again.`);
    if (error.wantsToken !== null) {
      this.notices.say("publish", "note", tokenForm(error.wantsToken, error.message, () => void this.publish(consent)));
      return;
    }
    switch (error.problem.problem) {
      case "precondition-failed":
      case "deleted":
        return this.publishing.lost();
      case "incompatible":
        return this.incompatible(error, consent);
      case "rollout-open":
        return this.say(`${error.message} `, button("Replace the newer revision of the rollout", () => void this.publish({ ...consent, rollout: true })));
      default:
        bench.checking.soon(0);
        return this.say(`Not published: ${error.message}`);
    }
  }

  private incompatible(error: Refused, consent: Consent): void {
    const { compatibility } = error.body as { compatibility?: Compatibility };
    if (compatibility !== undefined) this.publishing.breaks(compatibility);
    const later = compatibility?.verdict === "compatible";
    const when = later ? ", once the rollout has ended by itself (completeAfter)" : "";
    const way = later ? "Leave out completeAfter, to be asked when somebody completes the rollout; or widen" : "Widen";
    const why = `Not published: tasks that are accepted now may be refused${when}, and this worker type requires compatibility. What would break is listed below. `;
    this.say(why, `${way} the definition; or say in the message why it must be, and `, this.breakingButton(consent));
  }

  private breakingButton(consent: Consent): HTMLElement {
    return button("Publish although tasks may be refused", () => void this.publish({ ...consent, breaking: true }), { class: "secondary danger" });
  }

  private say(...content: readonly (Node | string)[]): void {
    this.notices.say("publish", "alert", ...content);
  }
}
