import { prose } from "../../core/printed";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { AttributePath } from "../../core/values";
import { callSiteText } from "../../constructs/call-site";

/** An app's output, divided into what the app itself says and the errors in it. */
export interface AppFailure {
  /** The errors that the app's constructs report at synth. */
  readonly findings: readonly Diagnostic[];
  /** The rest, without stack traces. */
  readonly text: string;
}

/** The error of `TenantFleet.fromFile`, a line for each problem. */
const TENANTS = /^TenantFileError: .* has (?:an error|\d+ errors):\n((?: {2}\S.*\n?)+)/m;

const HEADING = /^(?:.*Error: )?Validation failed with the following errors:$/m;

/**
 * Reads the output of an app that failed. Node prints an uncaught error with a piece of its source and
 * its stack of calls; what remains is the error's message, with the user's line.
 *
 * @param directory - the folder that the user's files are named from
 */
export function readAppFailure(output: string, directory: string): AppFailure {
  const text = withoutTrace(output, directory);
  const tenants = TENANTS.exec(text);
  if (tenants) {
    const [whole, problems = ""] = tenants;
    const findings = problems.split(/\n? {2}(?=\S+: )/).filter((problem) => problem !== "");
    return {
      findings: findings.map((problem) =>
        error("Invalid file of tenants", prose(problem.trim().replace(/[^.?]$/, "$&."))),
      ),
      text: text
        .replace(whole, "")
        .replace(/^ {4}at .*$/gm, "")
        .trim(),
    };
  }
  const heading = HEADING.exec(text);
  if (!heading) return { findings: [], text };
  const rest = text.slice(heading.index + heading[0].length);
  const [block = "", ...following] = rest.replace(/^\n/, "").split(/\n(?! {2})/);
  const after = following
    .join("\n")
    .replace(/^\s*If you wish to ignore these validations.*\n?/m, "")
    .replaceAll(/^ {4}at .*$/gm, "");
  const findings = block
    .split(/\n(?= {2}\[)/)
    .map((entry) => findingOf(entry.trim()))
    .filter((found) => found !== undefined);
  if (findings.length === 0) return { findings, text };
  return { findings, text: `${text.slice(0, heading.index)}${after}`.trim() };
}

/**
 * Reads `[stack/construct] prop[0].name: Summary. Detail (stack.ts:12)`, or `tenants.yaml:12: ` in front
 * of the prop; other texts are a detail. The first stack reports for the others, with both paths:
 * `[stack] [other/construct] …`.
 */
function findingOf(entry: string): Diagnostic | undefined {
  const [, constructPath = "", message = ""] =
    /^(?:\[[^\]]*\] )?\[([^\]]*)\] ([^]*)$/.exec(entry) ?? [];
  if (message === "") return undefined;
  const [, body = message, line] = /^([^]*) \(([^()\s]+:\d+)\)$/.exec(message) ?? [];
  const [, source = line, rest = ""] = /^(?:(\S+:\d+): )?([^]*)$/.exec(body) ?? [];
  const [, place, said = ""] = /^(?:((?:[\w.-]|\[\d+\]|\["[^"]*"\])+): )?([^]*)$/.exec(rest) ?? [];
  const [, summary, detail = ""] = /^([A-Z][^.\n]{0,80})\. ([^]*)$/.exec(said) ?? [];
  return {
    ...error(summary ?? "Invalid construct", prose(summary === undefined ? said : detail)),
    constructPath,
    ...(place !== undefined && { path: pathOf(place) }),
    ...(source !== undefined && { source }),
  };
}

function pathOf(text: string): AttributePath {
  return [...text.matchAll(/\[(\d+)\]|\["([^"]*)"\]|[^.[\]]+/g)].map(([step, index, key]) =>
    index === undefined ? (key ?? step) : Number(index),
  );
}

/** The members of an uncaught error, which Node prints below its stack of calls. */
const MEMBERS = /^( {4}at .*) \{\n((?: {2,}.*\n)*)\}$/gm;

/** Node's excerpt of the source above an uncaught error: file, line, and a mark below its column. */
const EXCERPT = /^(\S+:\d+)\n.*\n\s*\^+\n+/gm;
const FRAME = /^ {4}at .*$/;
const VERSION = /^Node\.js v[\d.]+$/;

function withoutTrace(output: string, directory: string): string {
  const lines: string[] = [];
  let trace: string[] = [];
  // A file that Node cannot parse has no call, only its excerpt.
  const excerpts: string[] = [];
  const end = (): void => {
    const callSite = callSiteText({ stack: [...trace, ...excerpts].join("\n") }, directory);
    if (callSite !== undefined) lines.push(`    at ${callSite}`);
    trace = [];
  };
  // Node prints the state of its memory around the reason.
  const [fatal = output] = /^FATAL ERROR: .*$/m.exec(output) ?? [];
  const read = fatal
    .replaceAll(EXCERPT, (_, place: string) => {
      excerpts.push(`    at ${place}:1`);
      return "";
    })
    .replaceAll(MEMBERS, (_, frame: string, members: string) => {
      const cause = /^ {2}\[cause\]: (.*)$/m.exec(members)?.[1];
      return cause === undefined ? frame : `${frame}\nCause: ${cause}`;
    });
  for (const line of read.split("\n")) {
    if (FRAME.test(line)) {
      trace.push(line);
      continue;
    }
    if (trace.length > 0) end();
    if (!VERSION.test(line)) lines.push(line);
  }
  if (trace.length > 0) end();
  return lines.join("\n").trim();
}
