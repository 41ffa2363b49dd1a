/** Asks the services on this origin, with the reader's token where one was given. */

import { el } from "./dom";

const TOKEN = "token";

/** One fault or warning, as every answer of the services has it. */
export interface Item {
  readonly problem: string;
  readonly pointer: string;
  readonly message: string;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly suggestion: string | null;
  readonly description: string | null;
  readonly variant: string | null;
}

/** A problem document (RFC 9457), as far as pages read it. */
export interface Problem {
  readonly problem: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly Item[];
}

/** The service answered, and refused. */
export class Refused extends Error {
  constructor(readonly problem: Problem, readonly body: unknown) {
    super(problem.detail);
  }

  /** Whether a token would help. */
  get wantsToken(): boolean {
    return this.problem.status === 401 || this.problem.status === 403;
  }
}

/** The service did not answer, or not as itself. */
export class Away extends Error {}

export interface Ask {
  readonly method?: "GET" | "PUT" | "POST";
  /** JSON, ready to send. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How long an answer is waited for. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 15_000;

/** @throws {@link Refused}, {@link Away}, and an `AbortError` where the signal says so. */
export async function ask<T>(url: string, asked: Ask = {}): Promise<T> {
  return (await answer(url, asked)).json() as Promise<T>;
}

/** The answer itself, for its headers or its text. */
export async function answer(url: string, { method = "GET", body, headers = {}, signal, patienceMs = PATIENCE_MS }: Ask = {}): Promise<Response> {
  const token = sessionStorage.getItem(TOKEN);
  const patience = AbortSignal.timeout(patienceMs);
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Away(patience.aborted ? `the service has not answered for ${patienceMs / 1000} s` : "the service does not answer");
  });
  if (response.ok) return response;
  const told: unknown = await response.json().catch(() => null);
  if (!isProblem(told)) throw new Away(`the service answers ${response.status} ${response.statusText}`.trim());
  // It is there, but cannot do its work now.
  if (response.status === 503 || response.status === 429) throw new Away(told.detail);
  throw new Refused(told, told);
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "problem" in value && "detail" in value;
}

/** A form that says why it is there, takes a token for this tab, and then goes on with `again`. */
export function tokenForm(why: string, again: () => void): HTMLElement {
  const input = el("input", { type: "password", name: "token", autocomplete: "off", required: true });
  const form = el(
    "form",
    { class: "token", "aria-label": "Give a token" },
    el("p", {}, why),
    el("label", {}, el("span", {}, "Access token"), input),
    el("button", { type: "submit" }, "Use this token"),
    el("p", { class: "quiet" }, "It is kept in this tab until it is closed."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, input.value.trim());
    form.remove();
    again();
  });
  return form;
}
