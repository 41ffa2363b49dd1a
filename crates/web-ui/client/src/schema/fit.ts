/**
 * How well a value that is being written fits a schema: enough to tell which branch of a `oneOf` its author means.
 *
 * No validator: what it cannot tell in a step or two counts as fitting. The verdict is the service's.
 */

import { type Node, pairOf } from "../source/tree";
import { type Json, Resolver, type Schema, type SchemaObject, isObject, named, schemas, strings } from "./schema";

export interface Fit {
  /** What stands against it: a constant that differs, another type. */
  readonly against: number;
  /** What speaks for it: constants that agree, then names that it knows. */
  readonly agreeing: number;
  readonly known: number;
}

const PERFECT: Fit = { against: 0, agreeing: 0, known: 0 };
const REFUSED: Fit = { against: 1, agreeing: 0, known: 0 };
/** References followed one after the other before it is left open. */
const DEEPEST = 12;

export class Fitting {
  /** `ignored` is what is being typed: it rules nothing out. */
  constructor(private readonly resolver: Resolver, private readonly ignored: (node: Node) => boolean) {}

  /** The branches that fit best; all of them where nothing tells them apart. */
  best(branches: readonly Schema[], node: Node | null): Schema[] {
    const fits = branches.map((branch) => this.fit(branch, node, 0));
    const top = fits.reduce<Fit | null>((best, fit) => (best === null || better(fit, best) ? fit : best), null);
    return branches.filter((_, index) => {
      const fit = fits[index];
      return top !== null && fit !== undefined && !better(top, fit);
    });
  }

  fits(schema: Schema, node: Node | null): boolean {
    return this.fit(schema, node, 0, true).against === 0;
  }

  /** `strictly`: what is required and not written yet stands against it. */
  private fit(schema: Schema, node: Node | null, depth: number, strictly = false): Fit {
    if (schema === true) return PERFECT;
    if (schema === false) return REFUSED;
    if (depth > DEEPEST) return PERFECT;
    if (node === null || this.ignored(node)) return strictly ? REFUSED : PERFECT;
    const parts = [own(schema, node)];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = schema[keyword];
      const target = typeof reference === "string" ? this.resolver.resolve(reference) : undefined;
      if (target !== undefined) parts.push(this.fit(target, node, depth + 1, strictly));
    }
    for (const part of schemas(schema["allOf"])) parts.push(this.fit(part, node, depth + 1, strictly));
    for (const keyword of ["oneOf", "anyOf"]) {
      const fits = schemas(schema[keyword]).map((branch) => this.fit(branch, node, depth + 1, strictly));
      const top = fits.reduce<Fit | null>((best, fit) => (best === null || better(fit, best) ? fit : best), null);
      if (top !== null) parts.push(top);
    }
    const not = schema["not"];
    if (strictly && (isObject(not) || typeof not === "boolean") && this.fit(not, node, depth + 1, true).against === 0) {
      parts.push(REFUSED);
    }
    if (node.kind === "mapping") parts.push(this.members(schema, node, depth, strictly));
    return parts.reduce(sum);
  }

  private members(schema: SchemaObject, node: Node & { kind: "mapping" }, depth: number, strictly: boolean): Fit {
    const properties = new Map(named(schema["properties"]));
    const patterns = named(schema["patternProperties"]).map(([pattern]) => regex(pattern));
    let [against, agreeing, known] = [0, 0, 0];
    for (const pair of node.pairs) {
      const property = properties.get(pair.key);
      if (property !== undefined) {
        const fit = this.fit(property, pair.value, depth + 1);
        against += fit.against;
        agreeing += fit.agreeing;
        known += 1;
      } else if (schema["additionalProperties"] === false && !patterns.some((pattern) => pattern?.test(pair.key))) {
        // The name that is being typed is no mistake yet.
        if (pair.value === null || !this.ignored(pair.value)) against += 1;
      }
    }
    if (strictly) against += strings(schema["required"]).filter((name) => pairOf(node, name) === undefined).length;
    return { against, agreeing, known };
  }
}

function sum(a: Fit, b: Fit): Fit {
  return { against: a.against + b.against, agreeing: a.agreeing + b.agreeing, known: a.known + b.known };
}

function better(a: Fit, b: Fit): boolean {
  if (a.against !== b.against) return a.against < b.against;
  if (a.agreeing !== b.agreeing) return a.agreeing > b.agreeing;
  return a.known > b.known;
}

/** What constants, values and types say of a value. */
function own(schema: SchemaObject, node: Node): Fit {
  const { const: constant, enum: values, type } = schema;
  const allowed: readonly Json[] | undefined = constant !== undefined ? [constant] : Array.isArray(values) ? values : undefined;
  if (allowed !== undefined && node.kind === "scalar") {
    const agrees = allowed.some((value) => typeof value !== "object" ? JSON.stringify(value) === node.json : value === null && node.type === "null");
    return agrees ? { against: 0, agreeing: 1, known: 0 } : REFUSED;
  }
  const types = typeof type === "string" ? [type] : strings(type);
  return types.length === 0 || types.some((name) => isOf(node, name)) ? PERFECT : REFUSED;
}

function isOf(node: Node, type: string): boolean {
  switch (node.kind) {
    case "mapping":
      return type === "object";
    case "sequence":
      return type === "array";
    case "scalar":
      if (type === "integer") return node.type === "number" && /^-?\d+(\.0+)?$/.test(node.json);
      return node.type === type;
  }
}

/** A pattern as the browser reads it; none where it cannot. */
export function regex(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch {
    try {
      return new RegExp(pattern);
    } catch {
      return null;
    }
  }
}
