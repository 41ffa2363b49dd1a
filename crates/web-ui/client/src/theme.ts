/** Light and dark: by the system, or as the reader chose. */

const KEY = "theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function chosen(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Applies the choice, and makes the switch in the page's head work. */
export function startTheme(): void {
  apply(chosen());
  const button = document.querySelector<HTMLButtonElement>("#_theme");
  if (button === null) return;
  button.hidden = false;
  const label = (): void => {
    button.textContent = `Theme: ${chosen()}`;
  };
  label();
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length] ?? "system";
    localStorage.setItem(KEY, next);
    apply(next);
    label();
  });
}
