/** What helps to read a schema reference: a filter, copying, and folds that open for what a link leads to. */

/** Gives every `data-filter` reference a filter above it. */
export function startFilters(): void {
  for (const reference of document.querySelectorAll<HTMLElement>("[data-filter]")) {
    const properties = [...reference.querySelectorAll<HTMLElement>(".property")];
    if (properties.length < 5) continue;
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = "names and words";
    const label = document.createElement("label");
    const words = document.createElement("span");
    words.textContent = reference.dataset["filter"] ?? "Filter";
    const box = document.createElement("div");
    box.className = "filter";
    const status = document.createElement("p");
    status.className = "quiet";
    status.setAttribute("role", "status");
    label.append(words, input);
    box.append(label, status);
    reference.before(box);
    input.addEventListener("input", () => filter(reference, properties, input.value, status));
  }
}

function filter(reference: HTMLElement, properties: HTMLElement[], text: string, status: HTMLElement): void {
  const wanted = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const own = (property: HTMLElement): string => {
    const said = [...property.children].filter((child) => !child.matches(".parts, .choices"));
    return `${property.dataset["name"] ?? ""} ${said.map((child) => child.textContent).join(" ")}`.toLowerCase();
  };
  const fits = new Set(properties.filter((property) => wanted.every((word) => own(property).includes(word))));
  for (const property of properties) {
    // What holds something that fits stays, so that one sees where that stands.
    const holds = [...property.querySelectorAll<HTMLElement>(".property")].some((inner) => fits.has(inner));
    property.hidden = wanted.length > 0 && !fits.has(property) && !holds;
    if (wanted.length > 0 && holds) property.querySelectorAll("details").forEach((fold) => (fold.open = true));
  }
  reference.classList.toggle("filtered", wanted.length > 0);
  status.textContent = wanted.length === 0 ? "" : `${fits.size} of ${properties.length} properties`;
}

/** Puts a button that copies it on each `data-copy` text. */
export function startCopying(): void {
  for (const text of document.querySelectorAll<HTMLElement>("pre[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      const content = text.querySelector("code")?.textContent ?? "";
      navigator.clipboard.writeText(content).then(
        () => (button.textContent = "Copied"),
        () => (button.textContent = "Not allowed"),
      );
      window.setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    text.append(button);
  }
}

/** Opens the folds around what the address leads to. */
export function startFolds(): void {
  const open = (): void => {
    const id = idIn(location.hash);
    const target = id === "" ? null : document.getElementById(id);
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
    target?.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  open();
}

/** The id that a fragment names. What is no percent-encoding (`#100%`) stands for itself. */
export function idIn(fragment: string): string {
  const raw = fragment.slice(1);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
