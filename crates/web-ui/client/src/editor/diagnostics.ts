/** From what a service says of a document to marks on its tokens, each with what would mend it. */

import type { Action, Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { el } from "../page/dom";
import { type Place, locate } from "../source/pointer";
import { read } from "../source/read";
import type { Change, Language, Source, SyntaxFault } from "../source/tree";
import { quotedWhereNeeded } from "../source/yaml-text";
import type { Finding, Mend } from "./report";

/** Marks that are drawn; a text with more is helped by the first ones. */
const MOST = 200;

/** Characters of a description that are shown, as `wm validate` cuts it. */
const SHORT = 160;

export function diagnostics(source: Source, findings: readonly Finding[], language: Language, length: number): Diagnostic[] {
  const syntax = source.faults.map((fault) => ofSyntax(fault));
  const told = findings.flatMap((finding) => ofFinding(finding, source, language));
  const marks = [...syntax, ...told].map((mark) => widened(mark, length));
  return marks.sort((a, b) => a.from - b.from || a.to - b.to).slice(0, MOST);
}

function ofSyntax(fault: SyntaxFault): Diagnostic {
  const { from, to, message, fix, mend } = fault;
  const actions: Action[] = [
    ...(fix === undefined ? [] : [{ name: fix.name, apply: (view: EditorView, at: number, end: number) => replace(view, at, end, fix.insert) }]),
    ...(mend === undefined ? [] : [{ name: mend.name, apply: (view: EditorView) => change(view, mend.changes(view.state.doc.toString())) }]),
  ];
  return { from, to, severity: "error", message, ...(actions.length > 0 ? { actions } : {}) };
}

function ofFinding(finding: Finding, source: Source, language: Language): Diagnostic[] {
  const place = locate(source.root, pointerOf(finding), finding.problem);
  // Of a value that is not written yet, the syntax error says enough.
  if (place.hole && source.faults.length > 0) return [];
  const quotes = wantsQuotes(finding, place, language);
  const message = quotes ? `${finding.message}; put it in quotes` : finding.message;
  const actions = quotes ? [quoting()] : [...suggesting(finding, language), ...mending(finding.mend, language)];
  return [{
    from: place.from,
    to: place.to,
    severity: finding.severity,
    message,
    ...(finding.description === null ? {} : { renderMessage: () => described(message, oneLine(finding.description ?? "")) }),
    ...(actions.length > 0 ? { actions } : {}),
  }];
}

/** The first paragraph of a description, on one line. */
export function oneLine(words: string): string {
  const line = (words.split("\n\n")[0] ?? "").split(/\s+/).filter((word) => word !== "").join(" ");
  const letters = [...line];
  return letters.length <= SHORT ? line : `${letters.slice(0, SHORT).join("")}…`;
}

function described(message: string, description: string): HTMLElement {
  return el("span", {}, message, el("span", { class: "description" }, description));
}

/** What is said of the worker type as a whole is said of its name. */
function pointerOf({ pointer, problem }: Finding): string {
  return pointer === "" && ["unknown-worker-type", "deleted", "retired", "deprecated"].includes(problem) ? "/taskQueueId" : pointer;
}

/** YAML took for a number or a truth value what was meant as a string. */
function wantsQuotes({ problem, expected }: Finding, { node }: Place, language: Language): boolean {
  return language === "yaml" && problem === "type" && expected === "string" && node?.kind === "scalar" && node.plain
    && node.type !== "string" && node.from < node.to;
}

function quoting(): Action {
  return {
    name: "Put it in quotes",
    apply: (view, from, to) => replace(view, from, to, JSON.stringify(view.state.sliceDoc(from, to))),
  };
}

function mending(mend: Mend | undefined, language: Language): Action[] {
  if (mend === undefined) return [];
  const apply = (view: EditorView): void => {
    const text = view.state.doc.toString();
    change(view, mend.changes(read(text, language).root, text));
  };
  return [{ name: mend.name, apply }];
}

/** Whether the suggestion is a name, or a value. */
function suggesting(finding: Finding, language: Language): Action[] {
  const { suggestion } = finding;
  if (suggestion === null) return [];
  return [{
    name: `Change to ${suggestion}`,
    apply: (view, from, to) => {
      const was = view.state.sliceDoc(from, to);
      const quoted = language === "json" ? was.startsWith('"') || !isJson(suggestion) : false;
      replace(view, from, to, quoted ? JSON.stringify(suggestion) : language === "json" ? suggestion : inYaml(was, suggestion));
    },
  }];
}

function inYaml(was: string, suggestion: string): string {
  if (was.startsWith('"')) return JSON.stringify(suggestion);
  if (was.startsWith("'")) return `'${suggestion.replaceAll("'", "''")}'`;
  return isJson(suggestion) ? suggestion : quotedWhereNeeded(suggestion);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function replace(view: EditorView, from: number, to: number, insert: string): void {
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.fix" });
  view.focus();
}

function change(view: EditorView, changes: readonly Change[]): void {
  view.dispatch({ changes: [...changes], userEvent: "input.fix" });
  view.focus();
}

/** A mark of no width would not be seen. */
function widened(mark: Diagnostic, length: number): Diagnostic {
  const from = Math.max(0, Math.min(mark.from, length));
  const to = Math.max(from, Math.min(mark.to, length));
  if (to > from || length === 0) return { ...mark, from, to };
  return from < length ? { ...mark, from, to: from + 1 } : { ...mark, from: from - 1, to: from };
}
