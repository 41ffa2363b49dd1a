/** A JSON Schema document as the walk reads it: 2020-12, and what older drafts spell otherwise. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type SchemaObject = { readonly [keyword: string]: Json };
export type Schema = boolean | SchemaObject;

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: Json | undefined): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

/** The schemas of a list keyword; none where it is no list. */
export function schemas(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

export function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** The schemas of a keyword that maps names to them. */
export function named(value: Json | undefined): [string, Schema][] {
  if (!isObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]));
}

/** What a `$ref` inside the document leads to: a pointer, an anchor, or the `$id` of an embedded schema. */
export class Resolver {
  private readonly ids = new Map<string, Schema>();

  constructor(readonly root: Schema) {
    this.collect(root, "", 0);
  }

  private collect(value: Json, base: string, depth: number): void {
    if (depth > 200 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const entry of value) this.collect(entry, base, depth + 1);
      return;
    }
    const object = value as SchemaObject;
    const id = object["$id"];
    const here = typeof id === "string" ? id.replace(/#$/, "") : base;
    if (typeof id === "string") this.ids.set(here, object);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = object[keyword];
      if (typeof anchor === "string") this.ids.set(`${here}#${anchor}`, object);
    }
    for (const [keyword, entry] of Object.entries(object)) {
      // Values, not schemas.
      if (!["const", "enum", "default", "examples"].includes(keyword)) this.collect(entry, here, depth + 1);
    }
  }

  resolve(reference: string): Schema | undefined {
    const hash = reference.indexOf("#");
    const [base, fragment] = hash < 0 ? [reference, ""] : [reference.slice(0, hash), reference.slice(hash + 1)];
    const document = base === "" ? this.root : this.ids.get(base);
    if (document === undefined) return undefined;
    if (fragment === "") return document;
    if (!fragment.startsWith("/")) return this.ids.get(`${base}#${fragment}`);
    let found: Json | undefined = document;
    for (const part of decoded(fragment).split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)];
      else found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return isSchema(found) ? found : undefined;
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
