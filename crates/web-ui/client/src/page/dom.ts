/** Makes elements. */

type Child = Node | string;

/** `el("button", { type: "button" }, "Copy")`. Attributes only: no inline style, no handlers. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** A secondary one, unless the attributes give it another class. */
export function button(label: string, act: () => void, attributes: Readonly<Record<string, string>> = {}): HTMLButtonElement {
  const element = el("button", { type: "button", class: "secondary", ...attributes }, label);
  element.addEventListener("click", act);
  return element;
}

/** The attribute `data-<name>` of a mount; empty where the server gave none. */
export function given(mount: HTMLElement, name: string): string {
  return mount.getAttribute(`data-${name}`) ?? "";
}
