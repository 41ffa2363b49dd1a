/** Asks the services on this origin, each with the token that the reader gave for it, and for no other. */

import { el } from "./dom";

/** The prefix of its addresses. The pages themselves are worker-manager's. */
export type Service = "/api/worker-manager" | "/api/queue";

const NAMES: Readonly<Record<Service, string>> = { "/api/worker-manager": "worker-manager", "/api/queue": "the queue" };

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
  constructor(readonly problem: Problem, readonly body: unknown, readonly service: Service | null) {
    super(problem.detail);
  }

  /** The service for which a token would help; none where it would not. */
  get wantsToken(): Service | null {
    return this.problem.status === 401 || this.problem.status === 403 ? this.service : null;
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
  const service = serviceOf(url, location.origin);
  const token = service === null ? null : sessionStorage.getItem(keyOf(service));
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
  throw new Refused(told, told, service);
}

/** Whom an address asks: none of those that take a token where it leads elsewhere. */
export function serviceOf(url: string, origin: string): Service | null {
  const asked = new URL(url, origin);
  if (asked.origin !== origin) return null;
  const [, api, name] = asked.pathname.split("/");
  if (api !== "api") return "/api/worker-manager";
  const prefix = `/${api}/${name ?? ""}`;
  return prefix === "/api/worker-manager" || prefix === "/api/queue" ? prefix : null;
}

function keyOf(service: Service): string {
  return `token:${service}`;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "problem" in value && "detail" in value;
}

/** A form that says why it is there, takes a token for this service and this tab, and then goes on with `again`. */
export function tokenForm(service: Service, why: string, again: () => void): HTMLElement {
  const input = el("input", { type: "password", name: "token", autocomplete: "off", required: true });
  const form = el(
    "form",
    { class: "token", "aria-label": "Give a token" },
    el("p", {}, why),
    el("label", {}, el("span", {}, `Access token for ${NAMES[service]}`), input),
    el("button", { type: "submit" }, "Use this token"),
    el("p", { class: "quiet" }, "It is kept in this tab until it is closed, and sent to no other service."),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(keyOf(service), input.value.trim());
    form.remove();
    again();
  });
  return form;
}
