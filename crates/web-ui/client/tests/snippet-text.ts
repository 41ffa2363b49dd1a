/** What a snippet looks like once it is written, before its places are filled in. */
export function plainText(snippet: string): string {
  return snippet.replace(/\$\{\d+(?::((?:\\.|[^}\\])*))?\}/g, (_, text: string | undefined) => text ?? "").replace(/\\([{}])/g, "$1");
}
