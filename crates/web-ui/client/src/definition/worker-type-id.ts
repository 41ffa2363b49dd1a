/** The id under which a definition stands: given by the address, or chosen here for a new one. */

import { el } from "../page/dom";

const PATTERN = "[a-zA-Z0-9_\\-]{1,38}/[a-z]([\\-a-z0-9]{0,36}[a-z0-9])?";

export interface ChosenId {
  /** None where the address gives the id. */
  readonly element: HTMLElement | null;
  /** Empty while what is written is no id. */
  id(): string;
}

export function workerTypeId(given: string, isNew: boolean, changed: () => void): ChosenId {
  if (!isNew) return { element: null, id: () => given };
  const input = el("input", { type: "text", name: "workerType", value: given, required: true, pattern: PATTERN, placeholder: "provisioner/worker-type", spellcheck: "false", autocomplete: "off", "aria-describedby": "id-rules" });
  input.addEventListener("input", changed);
  const rules = el("span", { id: "id-rules", class: "quiet" }, "The part before the slash may have letters, digits, - and _; the part behind it begins with a small letter and has small letters, digits and -.");
  const element = el("p", { class: "worker-type-id" }, el("label", {}, el("span", {}, "Worker type"), input), rules);
  return { element, id: () => (input.checkValidity() ? input.value : "") };
}
