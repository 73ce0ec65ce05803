import { ENDPOINT_NAMES } from "../api/endpoints";
import { SimulatorError } from "./errors";
import type { Fault, FaultOutcome } from "./faults";

/**
 * Parses a fault in the syntax of `simulate --fault`:
 *
 *     SPEC   = TARGET ":" PART {"," PART} [":" TIMES]
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
 *
 * Throws a `SimulatorError` that names the invalid parts.
 */
export function parseFault(spec: string): Fault {
  const [target = "", parts = "", times, ...rest] = spec.split(":");
  const problems: string[] = [];
  if (parts === "" || rest.length > 0) {
    problems.push("write TARGET:PARTS or TARGET:PARTS:TIMES");
  } else if (!isTarget(target)) {
    problems.push(
      `"${target}" is neither "*", nor METHOD /path, nor an endpoint such as putCompliancePolicies`,
    );
  }
  const draft: Draft = { outcomes: [], status: {}, timing: {} };
  for (const part of problems.length > 0 ? [] : parts.split(",")) {
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/.exec(part) ?? [];
    const read = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    const problem = read
      ? read(draft, value ?? "")
      : `"${part}" is none of status=N, reset-before, reset-after, truncate, html, retry-after=SECONDS, body=KIND, delay=MS, skip=N`;
    if (problem !== undefined) problems.push(problem);
  }
  if (times !== undefined && !isCount(times, 1)) {
    problems.push(`TIMES must be a whole number, 1 or more, not "${times}"`);
  }
  problems.push(...contradictions(draft, problems));
  if (problems.length > 0) {
    throw new SimulatorError(
      "bad-fault",
      `The fault "${spec}" cannot be read: ${problems.join("; ")}.`,
    );
  }

  const [outcome] = draft.outcomes;
  return {
    target,
    ...draft.timing,
    ...(times !== undefined && { times: Number(times) }),
    ...(outcome && {
      outcome: outcome.kind === "status" ? { ...outcome, ...draft.status } : outcome,
    }),
  };
}

interface Draft {
  readonly outcomes: FaultOutcome[];
  readonly status: { retryAfter?: string; body?: "json" | "html" | "empty" };
  readonly timing: { delay?: number; skip?: number };
}

/** Adds a part to the draft, or returns why it is invalid. */
type ReadPart = (draft: Draft, value: string) => string | undefined;

const PARTS: Readonly<Record<string, ReadPart>> = {
  status({ outcomes }, value) {
    const status = Number(value);
    if (!isCount(value, 200) || status > 599) return `status must be 200 to 599, not "${value}"`;
    outcomes.push({ kind: "status", status });
    return undefined;
  },
  "reset-before": plain("reset-before"),
  "reset-after": plain("reset-after"),
  truncate: plain("truncate"),
  html: plain("html"),
  "retry-after"({ status }, value) {
    if (!isCount(value, 0)) return `retry-after must be whole seconds, not "${value}"`;
    status.retryAfter = value;
    return undefined;
  },
  body({ status }, value) {
    if (value !== "json" && value !== "html" && value !== "empty") {
      return `body must be json, html or empty, not "${value}"`;
    }
    status.body = value;
    return undefined;
  },
  delay({ timing }, value) {
    if (!isCount(value, 0)) return `delay must be whole milliseconds, not "${value}"`;
    timing.delay = Number(value);
    return undefined;
  },
  skip({ timing }, value) {
    if (!isCount(value, 0)) return `skip must be a whole number, not "${value}"`;
    timing.skip = Number(value);
    return undefined;
  },
};

function plain(kind: "reset-before" | "reset-after" | "truncate" | "html"): ReadPart {
  return ({ outcomes }, value) => {
    if (value !== "") return `${kind} takes no value`;
    outcomes.push({ kind });
    return undefined;
  };
}

function contradictions({ outcomes, status, timing }: Draft, problems: string[]): string[] {
  if (problems.length > 0) return [];
  if (outcomes.length > 1) {
    return [`${outcomes.map(({ kind }) => kind).join(" and ")} cannot be combined`];
  }
  if (outcomes[0]?.kind !== "status" && Object.keys(status).length > 0) {
    return ["retry-after and body require status=N"];
  }
  return outcomes.length === 0 && timing.delay === undefined ? ["it has no effect"] : [];
}

function isCount(text: string, min: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= min;
}

function isTarget(target: string): boolean {
  return (
    target === "*" ||
    /^(GET|POST|PUT|DELETE) \//.test(target) ||
    ENDPOINT_NAMES.some((name) => name === target)
  );
}
