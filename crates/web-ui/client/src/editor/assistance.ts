/** Completion and explanation while one writes, from the schema of the document. */

import { type Completion, type CompletionContext, type CompletionResult, snippet, startCompletion } from "@codemirror/autocomplete";
import { type EditorView, type Tooltip, hoverTooltip } from "@codemirror/view";
import { el } from "../page/dom";
import { type Proposal, literal, proposals } from "../schema/proposals";
import type { SchemaWalk } from "../schema/schema-at";
import { bounds, firstText, typeWords } from "../schema/words";
import { type Cursor, cursorsAt, pathAt } from "../source/cursor";
import { read } from "../source/read";
import { type Language, type Node, type Segment, nodeAt } from "../source/tree";

export interface Assistance {
  language(): Language;
  /** The schema of the document as it is now; none while it is fetched, or where there is none. */
  schema(): SchemaWalk | null;
  /** Names that a service knows for a value, where the schema does not list them. */
  names(path: readonly Segment[]): Promise<readonly Named[]>;
  /** Another schema that holds for a part of the document; none where the document's own says all. */
  inside?(root: Node | null, path: readonly Segment[]): Promise<Inner | null>;
}

/** The part begins `depth` steps down the path that was asked about. */
export interface Inner {
  readonly walk: SchemaWalk;
  readonly depth: number;
}

export interface Named {
  readonly name: string;
  readonly detail: string;
  /** Higher comes first; 0 where the alphabet orders them. */
  readonly rank?: number;
}

export function completionSource(assistance: Assistance) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    const language = assistance.language();
    const cursors = cursorsAt(text, context.pos, language);
    const [first] = cursors;
    if (first === undefined) return null;
    const offered = (await Promise.all(cursors.map((cursor) => offer(assistance, cursor, language)))).flat();
    const hasKeys = cursors.some((cursor) => cursor.kind === "key");
    const options = hasKeys ? offered.filter((option) => option.type !== "class") : offered;
    const { word } = first;
    const begun = word.quote !== "" || word.to > word.from;
    // Behind a colon only what is listed is worth a word that nobody asked for.
    const few = cursors.length === 1 && first.kind === "value" && options.length < 30;
    const wanted = context.explicit || begun || (few && /[:\s]/.test(context.state.sliceDoc(context.pos - 1, context.pos)));
    if (!wanted || options.length === 0) return null;
    return { from: word.from, to: word.to, options, validFor: /^[\w./@-]*$/ };
  };
}

async function offer(assistance: Assistance, cursor: Cursor, language: Language): Promise<Completion[]> {
  const { walk, depth } = await speaking(assistance, cursor.root, cursor.path);
  const part = depth === 0 ? cursor : { ...cursor, root: nodeAt(cursor.root, cursor.path.slice(0, depth)), path: cursor.path.slice(depth) };
  const found = walk === null ? [] : proposals(walk, part, language);
  const named = cursor.kind === "value" ? await assistance.names(cursor.path) : [];
  const names = named.map(({ name, detail, rank = 0 }): Proposal => {
    const text = language === "json" || cursor.word.quote === '"' ? JSON.stringify(name) : name;
    return { label: name, kind: "value", detail, info: "", rank: rank / 1000, snippet: literal(text) };
  });
  // What a service knows says more than a constant of the schema.
  const rest = found.filter((proposal) => !names.some((name) => name.label === proposal.label));
  return [...rest, ...names].map((proposal) => completion(proposal, cursor, language));
}

/** The schema that speaks of a place, and how far down the path it begins. */
async function speaking(assistance: Assistance, root: Node | null, path: readonly Segment[]): Promise<{ walk: SchemaWalk | null; depth: number }> {
  return (await assistance.inside?.(root, path)) ?? { walk: assistance.schema(), depth: 0 };
}

function completion(proposal: Proposal, cursor: Cursor, language: Language): Completion {
  const { word } = cursor;
  return {
    label: proposal.label,
    detail: proposal.detail,
    type: proposal.kind === "key" ? "property" : proposal.kind === "value" ? "enum" : "class",
    boost: Math.max(-99, Math.min(99, proposal.rank)),
    ...(proposal.info === "" ? {} : { info: () => el("p", { class: "explained" }, proposal.info) }),
    // The word may have grown since it was asked about; its quotes are replaced with it.
    apply: (view, _, from, to) => {
      apply(view, proposal, language, from - (word.from - word.outer.from), to + (word.outer.to - word.to));
    },
  };
}

function apply(view: EditorView, proposal: Proposal, language: Language, begin: number, to: number): void {
  // A block below its key leaves no blanks behind the colon.
  const blanks = proposal.snippet.startsWith("\n") ? (/[ \t]*$/.exec(view.state.sliceDoc(0, begin))?.[0].length ?? 0) : 0;
  const from = begin - blanks;
  const before = view.state.sliceDoc(0, from);
  const after = view.state.sliceDoc(to);
  const comma = language === "json" && /^\s*("|\{|\[|[-\w])/.test(after) ? "," : "";
  const missing = language === "json" && /["\]}\w]\s*$/.test(before) ? "," : "";
  // Without a place to go on at, the cursor would stay before what is inserted.
  const end = /(^|[^\\])[#$]\{/.test(proposal.snippet) ? "" : "${}";
  snippet(missing + proposal.snippet + end + comma)(view, { label: proposal.label }, from, to);
  if (proposal.kind === "key") startCompletion(view);
}

/** What the schema says of the token under the pointer. */
export function explanation(assistance: Assistance) {
  return hoverTooltip(async (view, position): Promise<Tooltip | null> => {
    const { root } = read(view.state.doc.toString(), assistance.language());
    const at = pathAt(root, position);
    if (at === null) return null;
    const { walk, depth } = await speaking(assistance, root, at.path);
    if (walk === null) return null;
    const found = walk.at(nodeAt(root, at.path.slice(0, depth)), at.path.slice(depth));
    const [title, description] = [firstText(found, "title"), firstText(found, "description")];
    const words = [typeWords(found), ...bounds(found)].filter((part) => part !== "");
    const fallback = found.map((schema) => schema["default"]).find((value) => value !== undefined);
    if (fallback !== undefined) words.push(`default ${JSON.stringify(fallback)}`);
    if (words.length === 0 && title === undefined && description === undefined) return null;
    const create = () => {
      const dom = el("div", { class: "explained" }, el("p", {}, el("strong", {}, String(at.path.at(-1) ?? "")), ` ${words.join(" · ")}`));
      if (description !== undefined || title !== undefined) dom.append(el("p", {}, description ?? title ?? ""));
      return { dom };
    };
    return { pos: at.range.from, end: at.range.to, create };
  }, { hideOnChange: true });
}
