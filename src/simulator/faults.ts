import type { EndpointName } from "../api/endpoints";
import { errorResponse, type ConsoleResponse } from "./messages";

/** What a console is made to do wrong. */
export interface Fault {
  /**
   * Where: an endpoint's name, `METHOD /path` (from the console's base address; matches every path
   * that begins so), or `*` for every request, `_ping` and unknown paths included.
   */
  readonly target: string;
  /** How many requests it meets before it wears off. Default: all. */
  readonly times?: number | undefined;
  /** How many matching requests pass unharmed before the first. Default: 0. */
  readonly skip?: number | undefined;
  /** Milliseconds of real time that the request waits before anything else happens. */
  readonly delay?: number | undefined;
  /** Default: the request is answered as ever, if late. */
  readonly outcome?: FaultOutcome | undefined;
}

/** What comes of a request that meets a fault. */
export type FaultOutcome =
  /** Answered instead of being worked on: nothing takes effect. */
  | {
      readonly kind: "status";
      readonly status: number;
      /** Seconds or an HTTP date, sent as it is. */
      readonly retryAfter?: string | undefined;
      /** Default: `json`, an error body as the console's own. */
      readonly body?: "json" | "html" | "empty" | undefined;
    }
  /** The connection breaks without an answer, and the request has had its effect or not. */
  | { readonly kind: "reset-before" | "reset-after" }
  /** The effect takes place; the answer breaks off in the middle of its body. */
  | { readonly kind: "truncate" }
  /** The effect takes place; the status is right, but the body is a page of HTML. */
  | { readonly kind: "html" };

/** The faults that meet one request. */
export interface Disturbance {
  readonly delay: number;
  readonly outcome: FaultOutcome | undefined;
}

/** A page as a gateway in front of a console sends it. */
export const HTML_FORM = {
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!DOCTYPE html>\n<html><head><title>Gateway</title></head><body><h1>The console is behind this page</h1></body></html>\n",
};

/** The answer that stands in for the console's own. */
export function faultResponse(fault: Extract<FaultOutcome, { kind: "status" }>): ConsoleResponse {
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

/** The faults of one console, each counting the requests that it met. */
export class FaultSchedule {
  #scheduled: Scheduled[] = [];

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.add(fault);
  }

  /** After those that are there already. */
  add(fault: Fault): void {
    this.#scheduled.push({ fault, seen: 0 });
  }

  /** All faults end. */
  clear(): void {
    this.#scheduled = [];
  }

  /**
   * What meets this request: the delays of all matching faults together, and the outcome of the
   * first that has one. A later outcome waits for the next request.
   */
  meet(method: string, path: string, endpoint: EndpointName | undefined): Disturbance | undefined {
    let delay = 0;
    let outcome: FaultOutcome | undefined;
    for (const scheduled of this.#scheduled) {
      const { fault } = scheduled;
      if (!matches(fault.target, method, path, endpoint)) continue;
      if (outcome !== undefined && fault.outcome !== undefined) continue;
      if (!isDue(scheduled)) continue;
      delay += fault.delay ?? 0;
      outcome ??= fault.outcome;
    }
    return delay > 0 || outcome !== undefined ? { delay, outcome } : undefined;
  }
}

function isDue(scheduled: Scheduled): boolean {
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
