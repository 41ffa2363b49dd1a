/**
 * Which schemas speak of the place that a path leads to, in a document that is being written.
 *
 * The walk goes through references, combinations and conditions, and takes of a choice the branches that fit what is
 * written already.
 */

import { type Node, type Segment, pairOf } from "../source/tree";
import { Fitting, regex } from "./fit";
import { Resolver, type Schema, type SchemaObject, isSchema, named, schemas, strings } from "./schema";

/** Schemas that one place may come to; recursion ends here. */
const MOST = 400;

export class SchemaWalk {
  private readonly resolver: Resolver;

  constructor(root: Schema) {
    this.resolver = new Resolver(root);
  }

  /**
   * The schema objects that hold for the value at `path` of the document `root`, each to be read by its own keywords.
   * `ignored` tells the token that is being typed, which rules no branch out.
   */
  at(root: Node | null, path: readonly Segment[], ignored: (node: Node) => boolean = () => false): SchemaObject[] {
    const fitting = new Fitting(this.resolver, ignored);
    let node = root;
    let found = this.expand([this.resolver.root], node, fitting);
    for (const segment of path) {
      const inner = found.flatMap((schema) => step(schema, segment, node));
      if (node?.kind === "sequence") node = node.items[Number(segment)] ?? null;
      else node = pairOf(node, String(segment))?.value ?? null;
      found = this.expand(inner, node, fitting);
    }
    return found;
  }

  /** What a schema comes to for a value that does not exist yet. */
  parts(schema: Schema): SchemaObject[] {
    return this.expand([schema], null, new Fitting(this.resolver, () => false));
  }

  private expand(wanted: readonly Schema[], node: Node | null, fitting: Fitting): SchemaObject[] {
    const found = new Set<SchemaObject>();
    const queue = [...wanted];
    for (let schema = queue.shift(); schema !== undefined && found.size < MOST; schema = queue.shift()) {
      if (typeof schema === "boolean" || found.has(schema)) continue;
      found.add(schema);
      queue.push(...this.applying(schema, node, fitting));
    }
    return [...found];
  }

  /** What else holds where `schema` does. */
  private applying(schema: SchemaObject, node: Node | null, fitting: Fitting): Schema[] {
    const found: Schema[] = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = schema[keyword];
      const target = typeof reference === "string" ? this.resolver.resolve(reference) : undefined;
      if (target !== undefined) found.push(target);
    }
    found.push(...schemas(schema["allOf"]));
    for (const keyword of ["oneOf", "anyOf"]) found.push(...fitting.best(schemas(schema[keyword]), node));
    const condition = schema["if"];
    if (isSchema(condition)) {
      const branch = fitting.fits(condition, node) ? schema["then"] : schema["else"];
      if (isSchema(branch)) found.push(branch);
    }
    for (const keyword of ["dependentSchemas", "dependencies"]) {
      for (const [name, dependent] of named(schema[keyword])) {
        if (pairOf(node, name) !== undefined) found.push(dependent);
      }
    }
    return found;
  }
}

/** What a schema says of one member of its value. */
function step(schema: SchemaObject, segment: Segment, node: Node | null): Schema[] {
  if (typeof segment === "number" || node?.kind === "sequence") return item(schema, Number(segment));
  const found: Schema[] = [];
  const property = named(schema["properties"]).find(([name]) => name === segment);
  if (property !== undefined) found.push(property[1]);
  for (const [pattern, value] of named(schema["patternProperties"])) {
    if (regex(pattern)?.test(segment) === true) found.push(value);
  }
  if (found.length > 0) return found;
  return ["additionalProperties", "unevaluatedProperties"].flatMap((keyword) => {
    const rest = schema[keyword];
    return isSchema(rest) ? [rest] : [];
  });
}

function item(schema: SchemaObject, index: number): Schema[] {
  const { items, prefixItems, additionalItems, contains, unevaluatedItems } = schema;
  // Older drafts spell `prefixItems` as a list under `items`.
  const prefix = schemas(prefixItems ?? (Array.isArray(items) ? items : undefined))[index];
  const rest = Array.isArray(items) ? additionalItems : (items ?? unevaluatedItems);
  const found = prefix !== undefined ? [prefix] : isSchema(rest) ? [rest] : [];
  return isSchema(contains) ? [...found, contains] : found;
}

/** The properties that a value of these schemas may have: required ones first, then in their order. */
export function propertiesOf(found: readonly SchemaObject[]): { name: string; schemas: Schema[]; required: boolean }[] {
  const byName = new Map<string, Schema[]>();
  const required = new Set(found.flatMap((schema) => strings(schema["required"])));
  for (const schema of found) {
    for (const [name, property] of named(schema["properties"])) {
      if (property === false) continue;
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [property]);
      else known.push(property);
    }
  }
  // What is required without a word about it is still offered.
  for (const name of required) if (!byName.has(name)) byName.set(name, [true]);
  const all = [...byName].map(([name, schemas]) => ({ name, schemas, required: required.has(name) }));
  return [...all.filter((property) => property.required), ...all.filter((property) => !property.required)];
}
