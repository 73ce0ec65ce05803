import type { EndpointName } from "../api/endpoints";
import { errorResponse, type SimulatedResponse } from "./messages";

/** A fault to inject. */
export interface Fault {
  /** Consoles to affect: a name, with `*` for any text. Default: all. */
  readonly tenant?: string | undefined;
  /**
   * Requests to match: an endpoint's name, `METHOD /path` (a prefix of the path from the console's
   * base address), or `*` for every request, including `_ping` and unknown paths.
   */
  readonly target: string;
  /** Number of requests to affect. Default: all. */
  readonly times?: number | undefined;
  /** Number of matching requests to skip first. Default: 0. */
  readonly skip?: number | undefined;
  /** Milliseconds of real time to delay the request. */
  readonly delay?: number | undefined;
  /** Default: the normal answer. */
  readonly outcome?: FaultOutcome | undefined;
}

/** Result of a request with a fault. */
export type FaultOutcome =
  /** Answers without executing the request. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** Seconds or an HTTP date, sent unchanged. */
      readonly retryAfter?: string | undefined;
      /** Default: `json`, an error body in the console's form. */
      readonly body?: "json" | "html" | "empty" | undefined;
    }
  /** Breaks the connection without an answer, before or after the request is executed. */
  | { readonly kind: "reset-before" | "reset-after" }
  /** Executes the request and cuts the answer off in the middle of its body. */
  | { readonly kind: "truncate" }
  /** Executes the request and answers with its status and a page of HTML. */
  | { readonly kind: "html" };

/** The faults that affect one request. */
export interface Disturbance {
  readonly delay: number;
  readonly outcome: FaultOutcome | undefined;
}

/** Reports whether a fault is for the console of this name. */
export function isFaulty({ tenant = "*" }: Fault, name: string): boolean {
  const [first = "", ...parts] = tenant.split("*");
  const last = parts.pop();
  if (last === undefined) return first === name;
  if (!name.startsWith(first)) return false;
  // The earliest place of each part leaves the most for the next one.
  let end = first.length;
  for (const part of parts) {
    const start = name.indexOf(part, end);
    if (start < 0) return false;
    end = start + part.length;
  }
  return name.length - last.length >= end && name.endsWith(last);
}

/** A page as a gateway in front of a console sends it. */
export const HTML_FORM = {
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>The console is behind this page</h1></body></html>\n",
};

/** Returns the answer that replaces the console's. */
export function faultResponse(fault: Extract<FaultOutcome, { kind: "status" }>): SimulatedResponse {
  const { status, retryAfter, body = "json" } = fault;
  const answer = {
    json: errorResponse(status, `injected fault: ${status}`),
    html: { status, ...HTML_FORM },
    empty: { status, headers: {}, body: "" },
  }[body];
  return retryAfter === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, "retry-after": retryAfter } };
}

interface Scheduled {
  readonly fault: Fault;
  seen: number;
}

/** The faults of one console, with the number of requests that each affected. */
export class FaultSchedule {
  #scheduled: Scheduled[] = [];

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.add(fault);
  }

  /** Adds faults after the existing ones. */
  add(fault: Fault): void {
    this.#scheduled.push({ fault, seen: 0 });
  }

  /** Removes all faults. */
  clear(): void {
    this.#scheduled = [];
  }

  /**
   * Returns the faults of a request: the delays of all matching faults and the outcome of the first
   * that has one. Later outcomes apply to later requests.
   */
  next(method: string, path: string, endpoint: EndpointName | undefined): Disturbance | undefined {
    let delay = 0;
    let outcome: FaultOutcome | undefined;
    for (const scheduled of this.#scheduled) {
      const { fault } = scheduled;
      if (!matches(fault.target, method, path, endpoint)) continue;
      if (outcome !== undefined && fault.outcome !== undefined) continue;
      if (!applies(scheduled)) continue;
      delay += fault.delay ?? 0;
      outcome ??= fault.outcome;
    }
    return delay > 0 || outcome !== undefined ? { delay, outcome } : undefined;
  }
}

function applies(scheduled: Scheduled): boolean {
  const { skip = 0, times = Infinity } = scheduled.fault;
  const position = scheduled.seen++;
  return position >= skip && position < skip + times;
}

function matches(
  target: string,
  method: string,
  path: string,
  endpoint: EndpointName | undefined,
): boolean {
  return target === "*" || target === endpoint || `${method} ${path}`.startsWith(target);
}
