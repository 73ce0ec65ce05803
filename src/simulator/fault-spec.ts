import { ENDPOINT_NAMES } from "../api/endpoints";
import { SimulatorError } from "./errors";
import type { Fault, FaultOutcome } from "./faults";

/**
 * Parses a fault in the syntax of `simulate --fault`:
 *
 *     SPEC   = [TENANT "/"] TARGET ":" PART {"," PART} [":" TIMES]
 *     TENANT = name of a console, with "*" for any text
 *     TARGET = "*" | endpoint name | METHOD " " path prefix
 *     PART   = "status=" 200…599 | "reset-before" | "reset-after" | "truncate" | "html"
 *            | "retry-after=" seconds | "body=" ("json" | "html" | "empty")
 *            | "delay=" milliseconds | "skip=" requests
 *     TIMES  = number of requests (default: all)
 *
 * Only one part of the first line is allowed; `retry-after` and `body` require `status`. Examples:
 *
 *     putCompliancePolicies:reset-after:1
 *     getCompliancePolicies:status=503,retry-after=1:2
 *     GET /api/v1/settings:status=429,body=html
 *     *:delay=200
 *     tenant-0007/*:status=503
 *
 * Throws a `SimulatorError` that names the invalid parts.
 */
export function parseFault(spec: string): Fault {
  const [, tenant, untenanted = ""] = /^(?:([\w*-]+)\/)?(.*)$/s.exec(spec) ?? [];
  const [target = "", parts = "", times, ...rest] = untenanted.split(":");
  const read = new ReadParts();
  const { problems, outcomes, status, timing } = read;
  const check = (isValid: boolean, problem: string) => {
    read.check(isValid, problem);
  };
  if (parts === "" || rest.length > 0) problems.push("write TARGET:PARTS or TARGET:PARTS:TIMES");
  else if (isTarget(target)) for (const part of parts.split(",")) read.add(part);
  else {
    problems.push(
      `"${target}" is neither "*", nor METHOD /path, nor an endpoint such as putCompliancePolicies`,
    );
  }
  check(
    times === undefined || isCount(times, 1),
    `TIMES must be a whole number, 1 or more, not "${times ?? ""}"`,
  );
  const [outcome, ...others] = outcomes;
  if (problems.length === 0) {
    const kinds = outcomes.map(({ kind }) => kind);
    check(others.length === 0, `${kinds.join(" and ")} cannot be combined`);
    check(
      others.length > 0 || outcome?.kind === "status" || Object.keys(status).length === 0,
      "retry-after and body require status=N",
    );
  }
  if (problems.length === 0) {
    check(outcome !== undefined || timing.delay !== undefined, "it has no effect");
  }
  if (problems.length > 0) {
    throw new SimulatorError(
      "bad-fault",
      `The fault "${spec}" cannot be read: ${problems.join("; ")}.`,
    );
  }
  return {
    ...(tenant !== undefined && { tenant }),
    target,
    ...timing,
    ...(times !== undefined && { times: Number(times) }),
    ...(outcome && { outcome: outcome.kind === "status" ? { ...outcome, ...status } : outcome }),
  };
}

/** The parts of a fault, and the problems that they have. */
class ReadParts {
  readonly problems: string[] = [];
  readonly outcomes: FaultOutcome[] = [];
  readonly status: { retryAfter?: string; body?: Body } = {};
  readonly timing: { delay?: number; skip?: number } = {};

  check(isValid: boolean, problem: string): void {
    if (!isValid) this.problems.push(problem);
  }

  add(part: string): void {
    const [, name = "", value = ""] = /^([^=]*)(?:=(.*))?$/.exec(part) ?? [];
    switch (name) {
      case "status":
        this.check(isCount(value, 200, 599), `status must be 200 to 599, not "${value}"`);
        this.outcomes.push({ kind: "status", status: Number(value) });
        break;
      case "reset-before":
      case "reset-after":
      case "truncate":
      case "html":
        this.check(value === "", `${name} takes no value`);
        this.outcomes.push({ kind: name });
        break;
      case "retry-after":
        this.check(isCount(value), `retry-after must be whole seconds, not "${value}"`);
        this.status.retryAfter = value;
        break;
      case "body":
        if (isBody(value)) this.status.body = value;
        else this.problems.push(`body must be json, html or empty, not "${value}"`);
        break;
      case "delay":
      case "skip": {
        const what = name === "delay" ? "whole milliseconds" : "a whole number";
        this.check(isCount(value), `${name} must be ${what}, not "${value}"`);
        this.timing[name] = Number(value);
        break;
      }
      default:
        this.problems.push(
          `"${part}" is none of status=N, reset-before, reset-after, truncate, html, retry-after=SECONDS, body=KIND, delay=MS, skip=N`,
        );
    }
  }
}

type Body = "json" | "html" | "empty";

function isBody(value: string): value is Body {
  return ["json", "html", "empty"].includes(value);
}

function isCount(text: string, min = 0, max = Infinity): boolean {
  return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function isTarget(target: string): boolean {
  return (
    target === "*" ||
    /^(GET|POST|PUT|DELETE) \//.test(target) ||
    ENDPOINT_NAMES.some((name) => name === target)
  );
}
