/** New task ids, as Taskcluster makes them: a version 4 UUID in base64url, 22 characters. */

export function slugid(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes)): string {
  const bytes = random(new Uint8Array(16));
  // The first bit is cleared so that no id begins with a dash, which command lines would take for an option.
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").slice(0, 22);
}
