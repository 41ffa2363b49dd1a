/** The id under which a definition stands: given by the address, or chosen here for a new one. */

import { ask } from "../page/api";
import { el } from "../page/dom";

const PATTERN = "[a-zA-Z0-9_\\-]{1,38}/[a-z]([\\-a-z0-9]{0,36}[a-z0-9])?";
const RULES =
  "The part before the slash may have letters, digits, - and _; the part behind it begins with a small letter and has small letters, digits and -.";
const WAIT_MS = 200;

export interface ChosenId {
  /** None where the address gives the id. */
  readonly element: HTMLElement | null;
  /** Empty while what is written is no id. */
  id(): string;
  /** Why nothing can be published under what is written; empty where it can. */
  refusal(): string;
}

export function workerTypeId(api: string, given: string, isNew: boolean, changed: () => void): ChosenId {
  return isNew ? new NewId(api, given, changed) : { element: null, id: () => given, refusal: () => "" };
}

interface Listed {
  readonly workerTypes: readonly { readonly workerTypeId: string }[];
}

/** A field that says at once whether an id is one, and whether it is free. */
class NewId implements ChosenId {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly words = el("span", { id: "id-rules", class: "quiet", role: "status" }, RULES);
  private timer: number | undefined;
  private taken = "";

  constructor(private readonly api: string, given: string, changed: () => void) {
    this.input = el("input", { type: "text", name: "workerType", value: given, required: true, pattern: PATTERN, placeholder: "provisioner/worker-type", spellcheck: "false", autocomplete: "off", "aria-describedby": "id-rules" });
    this.input.addEventListener("input", () => {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.look(), WAIT_MS);
      this.tell();
      changed();
    });
    this.element = el("p", { class: "worker-type-id" }, el("label", {}, el("span", {}, "Worker type"), this.input), this.words);
    void this.look();
  }

  // Handed on by themselves, they still know whose they are.
  readonly id = (): string => (this.input.checkValidity() ? this.input.value : "");

  readonly refusal = (): string => {
    const { value } = this.input;
    if (value === "") return "Give the worker type an id first: provisioner/worker-type.";
    if (this.id() === "") return `${value} is no id of a worker type. ${RULES}`;
    return this.taken === value ? `${value} exists already: change it on its own page.` : "";
  };

  /** Asks whether there is such a worker type, by a question that has an answer either way. */
  private async look(): Promise<void> {
    const id = this.id();
    const [provisioner = "", name = ""] = id.split("/");
    if (name === "") return;
    const query = new URLSearchParams({ provisionerId: provisioner, query: name, limit: "1000" });
    const listed = await ask<Listed>(`${this.api}/worker-types?${query.toString()}`).catch(() => null);
    this.taken = listed?.workerTypes.some(({ workerTypeId }) => workerTypeId === id) === true ? id : this.taken;
    this.tell();
  }

  private tell(): void {
    const { value } = this.input;
    const isTaken = value !== "" && this.taken === value;
    const isWrong = value !== "" && this.id() === "";
    this.input.setAttribute("aria-invalid", String(isTaken || isWrong));
    this.words.classList.toggle("wrong", isTaken || isWrong);
    if (isTaken) this.words.replaceChildren(`${value} exists already. `, el("a", { href: `/worker-types/${value}/edit` }, "Edit it"));
    else this.words.replaceChildren(isWrong ? `This is no id yet. ${RULES}` : RULES);
  }
}
