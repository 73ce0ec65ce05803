import type { Case, Explanation, Passed } from "../../protection/explain";
import { joined, printable, printed, type Printable } from "../../core/printed";
import type { Style, TextOptions } from "../../formats/text/style";
import { wrappedLines } from "../../formats/text/word-wrap";
import type { LiveDecisions } from "../../protection/live";
import type { LiveReading } from "./live-reading";
import { describeSources } from "./live-text";
import { describePolicy, describeWhere } from "./where-text";

/** Policies in front that are listed. */
const MOST_PASSED = 20;

/** Renders which policy decides, what it does, and why the policies in front of it do not. */
export function renderExplanation(
  title: string,
  { cases, passed }: Explanation,
  { style }: { readonly style: Style },
): Printable {
  const hidden = passed.length - MOST_PASSED;
  const lines = [
    style.bold(printed`${title}:`),
    ...cases.flatMap((one) => caseLines(one, cases.length > 1)),
    ...(passed.length > 0 ? ["  Policies in front that do not match:"] : []),
    ...passed.slice(0, MOST_PASSED).map((one) => `    ${describePassed(one)}`),
    ...(hidden > 0 ? [`    and ${hidden} more`] : []),
  ];
  return printed`${joined(lines, "\n")}\n`.toString();
}

function caseLines(
  { policy, position, unknown, checks, where, certainty }: Case,
  several: boolean,
): readonly string[] {
  const place = several ? `for ${describeWhere(where)}: ` : "";
  const maybe = certainty === "certain" ? "" : " (not certain)";
  const decider =
    policy !== null
      ? `${describePolicy(policy, position)} decides`
      : unknown === undefined
        ? "no policy matches"
        : `${unknown} decide, or no policy matches`;
  const effects = Object.entries(checks).map(
    ([id, effect]) => `    check ${printable(id)} ${effect ?? "is not checked"}`,
  );
  const nothing = policy === null ? "    nothing is checked" : "    it has no checks";
  if (unknown !== undefined) return [`  ${place}${decider}`];
  return [`  ${place}${decider}${maybe}`, ...(effects.length > 0 ? effects : [nothing])];
}

function describePassed({ policy, position, disabled, fields }: Passed): string {
  const name = describePolicy(policy ?? "", position);
  if (disabled) return `${name}: disabled`;
  if (fields.length === 0) return `${name}: matches nothing that policies before it leave`;
  return `${name}: ${fields.map((field) => field.replace("_", " ")).join(", ")}`;
}

/** The running containers with the values of a query, by the policies that decide for them. */
export interface LiveExplanation extends Pick<LiveReading, "read" | "unread"> {
  /** All that were read. */
  readonly running: number;
  readonly matching: number;
  /** Those that may have the values: their records lack some. */
  readonly uncertain: number;
  readonly now: LiveDecisions;
  readonly planned?: LiveDecisions;
}

/** Renders how many running containers each policy decides for, and what was read and when. */
export function renderRunning(
  { now, planned, ...live }: LiveExplanation,
  { style, width }: TextOptions,
): Printable {
  const { running, matching, uncertain, read } = live;
  const maybe = uncertain > 0 ? `, ${uncertain} may match` : "";
  const counts = [
    `${matching} of ${running} match${maybe}.`,
    ...decisionLines("On the console now", now),
    ...(planned ? decisionLines("After the plan", planned) : []),
  ];
  const sources = describeSources(live, running).flatMap((text) => wrappedLines(text, width - 3));
  const lines = [...(read.length > 0 ? counts : []), ...sources].map((line) => printed`  ${line}`);
  return printed`${joined([style.bold(printed`Running containers:`), ...lines], "\n")}\n`.toString();
}

function decisionLines(title: string, { decisions, uncertain }: LiveDecisions): readonly string[] {
  if (decisions.length + uncertain === 0) return [];
  return [
    `${title}:`,
    ...decisions.map(({ running, policy, position, unknown }) => {
      const decider = policy === null ? (unknown ?? "no policy") : describePolicy(policy, position);
      return `  ${running} by ${decider}`;
    }),
    ...(uncertain > 0 ? [`  ${uncertain} not certain`] : []),
  ];
}

/** The same as JSON; `cases` has the decisions if fields that are left out decide. */
export function explanationJson({ cases, passed }: Explanation) {
  const [first, ...others] = cases;
  const { policy, position, checks } = first;
  const isOne = others.length === 0 && first.unknown === undefined;
  return {
    policy: isOne ? policy : null,
    position: isOne ? position : null,
    checks: isOne ? checks : {},
    ...(!isOne && { cases }),
    passed,
  };
}
