/** A text in the fragment of a link: compressed, and never sent to a server. */

import type { Language } from "../source/tree";

export interface Shared {
  readonly text: string;
  readonly language: Language;
}

export async function fragmentOf({ text, language }: Shared): Promise<string> {
  const packed = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const coded = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${language}=${coded}`;
}

/** What a fragment holds; none where it holds no text. */
export async function sharedIn(fragment: string): Promise<Shared | null> {
  const found = /^#(json|yaml)=([\w-]+)$/.exec(fragment);
  if (found === null) return null;
  const [, language = "json", coded = ""] = found;
  try {
    const binary = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw")));
    return { text, language: language === "yaml" ? "yaml" : "json" };
  } catch {
    return null;
  }
}

/** A short name for what a fragment holds (FNV-1a, and the length): to tell links apart, not to trust. */
export function nameOf(fragment: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < fragment.length; at += 1) hash = Math.imul(hash ^ fragment.charCodeAt(at), 0x01000193) >>> 0;
  return `${hash.toString(36)}-${fragment.length.toString(36)}`;
}

async function piped(bytes: Uint8Array, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
