/**
 * How well a value that is being written fits a schema: enough to tell which branch of a `oneOf` its author means.
 *
 * No validator: what it cannot tell in a step or two counts as fitting. The verdict is the service's.
 */

import { type Node, pairOf } from "../source/tree";
import { type Json, Resolver, type Schema, type SchemaObject, isSchema, named, schemas, strings } from "./schema";

export interface Fit {
  /** Constants that agree, and those that differ: what an author means is told by them first. */
  readonly agreeing: number;
  readonly differing: number;
  /** What else stands against it: another type, a name that it does not know. */
  readonly against: number;
  /** Names that it knows. */
  readonly known: number;
}

const PERFECT: Fit = { agreeing: 0, differing: 0, against: 0, known: 0 };
const AGREES: Fit = { ...PERFECT, agreeing: 1 };
const DIFFERS: Fit = { ...PERFECT, differing: 1 };
const REFUSED: Fit = { ...PERFECT, against: 1 };
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
    return holds(this.fit(schema, node, 0, true));
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
    if (isSchema(not) && holds(this.fit(not, node, depth + 1, true))) parts.push(DIFFERS);
    if (node.kind === "mapping") parts.push(this.members(schema, node, depth, strictly));
    return parts.reduce(sum);
  }

  private members(schema: SchemaObject, node: Node & { kind: "mapping" }, depth: number, strictly: boolean): Fit {
    const properties = new Map(named(schema["properties"]));
    const patterns = named(schema["patternProperties"]).map(([pattern]) => regex(pattern));
    let { agreeing, differing, against, known } = PERFECT;
    for (const pair of node.pairs) {
      const property = properties.get(pair.key);
      if (property !== undefined) {
        const fit = this.fit(property, pair.value, depth + 1);
        agreeing += fit.agreeing;
        differing += fit.differing;
        against += fit.against;
        known += 1;
      } else if (schema["additionalProperties"] === false && !patterns.some((pattern) => pattern?.test(pair.key))) {
        // The name that is being typed is no mistake yet.
        if (pair.value === null || !this.ignored(pair.value)) against += 1;
      }
    }
    const required = strings(schema["required"]);
    const written = required.filter((name) => pairOf(node, name) !== undefined).length;
    // Where branches differ in nothing else, the one is meant whose names are there.
    known += written;
    if (strictly) against += required.length - written;
    return { agreeing, differing, against, known };
  }
}

function sum(a: Fit, b: Fit): Fit {
  return {
    agreeing: a.agreeing + b.agreeing, differing: a.differing + b.differing, against: a.against + b.against, known: a.known + b.known,
  };
}

function holds(fit: Fit): boolean {
  return fit.differing === 0 && fit.against === 0;
}

function better(a: Fit, b: Fit): boolean {
  const [mine, other] = [a.agreeing - a.differing, b.agreeing - b.differing];
  if (mine !== other) return mine > other;
  if (a.against !== b.against) return a.against < b.against;
  return a.known > b.known;
}

/** What constants, values and types say of a value. */
function own(schema: SchemaObject, node: Node): Fit {
  const { const: constant, enum: values, type } = schema;
  const allowed: readonly Json[] | undefined = constant !== undefined ? [constant] : Array.isArray(values) ? values : undefined;
  if (allowed !== undefined && node.kind === "scalar") {
    const agrees = allowed.some((value) => typeof value !== "object" ? JSON.stringify(value) === node.json : value === null && node.type === "null");
    return agrees ? AGREES : DIFFERS;
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
