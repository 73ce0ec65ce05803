import { defendedTerm, routesOf, type EndpointName, type ResolvedEndpoint } from "../api/endpoints";
import { compareReleases, RELEASES, type Release } from "../api/release";
import { describeRelease } from "../provider/console/release-changes";
import {
  changesOf,
  comesWith,
  SCANNER_MEMBERS,
  type Announcement,
  type Change,
  type Upgrade,
} from "./change";
import { SEVERITIES, type CallPlace, type Finding } from "./finding";
import type { Mention } from "./scripts/mentions";
import { HOLE } from "./scripts/paths";
import type { Source } from "./scripts/source";

/** The effect of one change on one use of a path. */
type Effect = Pick<Finding, "severity" | "message" | "replacement">;

/** The tables that all grades of a run refer to. */
interface Context extends Upgrade {
  /** The endpoints of the older release, by path. */
  readonly endpoints: ReadonlyMap<string, readonly ResolvedEndpoint[]>;
  readonly changes: ReadonlyMap<EndpointName, readonly Change[]>;
  /** The endpoints of the releases before `from`, and those of `to`. */
  readonly before: readonly ResolvedEndpoint[];
  readonly after: readonly ResolvedEndpoint[];
  /** Reports whether a file has the term that the upgrade renames. */
  readonly hasTerm: (source: Source) => boolean;
}

function contextOf(upgrade: Upgrade): Context {
  const endpoints = new Map<string, ResolvedEndpoint[]>();
  const changes = new Map<EndpointName, readonly Change[]>();
  for (const endpoint of routesOf(upgrade.from)) {
    endpoints.set(endpoint.path, [...(endpoints.get(endpoint.path) ?? []), endpoint]);
    changes.set(endpoint.name, changesOf(endpoint.name, upgrade));
  }
  const term = termOf(upgrade.from);
  const known = new Map<Source, boolean>();
  const hasTerm = (source: Source): boolean => {
    const found = known.get(source) ?? term.test(source.code);
    known.set(source, found);
    return found;
  };
  const older = RELEASES.filter((release) => compareReleases(release, upgrade.from) < 0);
  const before = older.flatMap((release) => routesOf(release));
  return { ...upgrade, endpoints, changes, before, after: routesOf(upgrade.to), hasTerm };
}

function termOf(release: Release): RegExp {
  return new RegExp(`\\b${defendedTerm(release)}\\b`);
}

/**
 * Grades the uses of paths: `error` where path and method are plain and the upgrade changes what they
 * do, `possible` where it changes the path and the method or the use is not plain, nothing where
 * the method is plain and the upgrade does not concern it.
 */
export function findingsOfMentions(
  mentions: readonly Mention[],
  upgrade: Upgrade,
): readonly Finding<CallPlace>[] {
  const context = contextOf(upgrade);
  return mentions.flatMap((mention) => findingsOfMention(mention, context));
}

function findingsOfMention(mention: Mention, context: Context): readonly Finding<CallPlace>[] {
  const endpoints = endpointsOf(mention, context);
  if (endpoints.length === 0) return findingsOfOtherRelease(mention, context);
  const found = endpoints.flatMap((endpoint) =>
    (context.changes.get(endpoint.name) ?? []).flatMap((change) => {
      const effect = effectOf(change, endpoint, mention, context);
      return effect ? [{ ...effect, section: change.section, endpoint }] : [];
    }),
  );
  const sections = [...new Set(found.map(({ section }) => section))];
  return sections.flatMap((section): Finding<CallPlace>[] => {
    const [first, ...others] = found
      .filter((one) => one.section === section)
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    if (!first) return [];
    const { endpoint, severity, message, replacement } = first;
    const doubts = [
      ...(mention.method === undefined ? ["The script does not state the method plainly."] : []),
      ...(others.length + 1 < endpoints.length && mention.path.paths.length > 1
        ? ["The path depends on a variable."]
        : []),
    ];
    const isPlain = severity !== "error" || doubts.length === 0;
    return [
      {
        severity: isPlain ? severity : "possible",
        section,
        message: [message, ...(severity === "note" ? [] : doubts)].join(" "),
        ...(replacement !== undefined && { replacement }),
        place: placeOf(mention, others.length > 0 ? undefined : endpoint.path),
      },
    ];
  });
}

/** The endpoints of the older release that the mention can mean. */
function endpointsOf(
  { path, method }: Mention,
  { endpoints, changes }: Context,
): readonly ResolvedEndpoint[] {
  const known = path.paths.flatMap((one) => endpoints.get(one) ?? []);
  const called = path.below
    ? []
    : known.filter((route) => (method ?? route.method) === route.method);
  if (called.length > 0) return called;
  // A change of the path concerns every method, and whatever is below the path.
  const isMovedPath = (route: ResolvedEndpoint) =>
    changes
      .get(route.name)
      ?.some((change) => change.kind === "moved" && change.to.path !== route.path);
  return known.filter(isMovedPath).slice(0, 1);
}

/** A path that an older release than `from` has, and `to` has not. */
function findingsOfOtherRelease(
  mention: Mention,
  { from, after, before }: Context,
): readonly Finding<CallPlace>[] {
  const { path, method } = mention;
  const isCalled = (route: ResolvedEndpoint) =>
    path.paths.includes(route.path) && (method ?? route.method) === route.method;
  if (path.below || after.some(isCalled)) return [];
  const known = before.find(isCalled);
  if (!known) return [];
  const message = `The call belongs to release ${known.until}: release ${from} does not have it.`;
  return [{ severity: "note", section: "9", message, place: placeOf(mention, known.path) }];
}

function effectOf(
  change: Change,
  endpoint: ResolvedEndpoint,
  mention: Mention,
  context: Context,
): Effect | undefined {
  const { to } = context;
  switch (change.kind) {
    case "removed":
      return { severity: "error", message: `${capitalized(to)} does not have the endpoint.` };
    case "moved": {
      const { method, path } = change.to;
      const isMoved = path !== endpoint.path;
      const newMethod = isMoved && mention.method !== undefined ? mention.method : method;
      const old = `${endpoint.method} ${endpoint.path}`;
      const message =
        change.answeredBy === undefined
          ? `${capitalized(to)} refuses the call: the endpoint ${isMoved ? "has another path" : `takes ${method}`}.`
          : `In ${describeRelease(to)}, ${old} is another endpoint (${change.answeredBy}): the call succeeds, with another effect.`;
      return { severity: "error", message, replacement: `${newMethod} ${path}` };
    }
    case "replaced":
      return { severity: "error", message: `In ${describeRelease(to)}, ${change.why}.` };
    case "deprecated": {
      const message = `Deprecated since release ${change.since}: ${change.why}. There is no replacement.`;
      return { severity: "warning", message };
    }
    case "renamed":
      return effectOfTerm(change.places, mention, context);
    case "announced":
      return effectOfAnnouncement(change.announcement, mention);
  }
}

function capitalized(release: Release): string {
  return describeRelease(release).replace(/^[rt]/, (letter) => letter.toUpperCase());
}

const PLACES = {
  query: "the query parameter",
  member: "the member of the answer",
  column: "the CSV column",
};
/** Text of a call that passes query parameters. */
const PARAMETERS = /param|query|search|\s-G\b|--get\b|--data-urlencode/i;

function effectOfTerm(
  places: NonNullable<ResolvedEndpoint["defended"]>,
  { path: { query }, statement, source }: Mention,
  { from, to, hasTerm }: Context,
): Effect | undefined {
  const [old, now] = [defendedTerm(from), defendedTerm(to)];
  const term = termOf(from);
  const isShown = term.test(query) || term.test(statement);
  const isInAnswer = places.some((place) => place !== "query");
  const isBuilt = query.includes(HOLE) || PARAMETERS.test(statement) || hasTerm(source);
  if (!isShown && !isInAnswer && !isBuilt) return undefined;
  const names = places.map((place) => PLACES[place]).join(" and ");
  const message = `In ${describeRelease(to)}, ${names} "${old}" ${places.length === 1 ? "is" : "are"} called "${now}".`;
  const replacement = `"${now}" for "${old}"`;
  if (isShown || isInAnswer) return { severity: "error", message, replacement };
  const doubt = "The script does not show the query of this call.";
  return { severity: "possible", message: `${message} ${doubt}`, replacement };
}

/** Members of a request's body or of an answer, which show what a call handles. */
const MEMBERS =
  /["']?\b(?:(?:credentialI[dD]s?|repository|registry|provider|cap)["']?\s*(?::|=>)|specifications["']?\s*(?::|=>)\s*\[\s*\])/;

function effectOfAnnouncement(
  { sign, severity, what, instead }: Announcement,
  { statement }: Mention,
): Effect | undefined {
  if (sign.test(statement)) return { severity, message: what, replacement: instead };
  if (MEMBERS.test(statement)) return undefined;
  return {
    severity: severity === "error" ? "possible" : severity,
    message: `${what} The statement does not show whether the change concerns it.`,
    replacement: instead,
  };
}

function placeOf(mention: Mention, path: string | undefined): CallPlace {
  const { source, line, pathFile, pathLine, endLine, method } = mention;
  return {
    kind: "call",
    file: source.file,
    line,
    pathFile,
    pathLine,
    endLine,
    ...(method !== undefined && { method }),
    path: path ?? commonPath(mention.path.paths),
  };
}

/** The path with `*` where the paths differ. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/"));
  return first
    .map((segment, index) => (others.every((other) => other[index] === segment) ? segment : "*"))
    .join("/");
}

/** Reports whether a file reads the report of an image scanner. */
function readsReport(code: string): boolean {
  return (
    /\bpublished(?:Days|Date)\b|\bdiscovered(?:Days|Date)\b|\btwistcli\b|\bscan[\w-]*\.json\b/.test(
      code,
    ) ||
    (/["'.]results\b|\{ ?results\b/.test(code) && /["'.{]vulnerabilities\b|\{ ?vuln/.test(code))
  );
}

/** Finds the uses of members that the next release's scanner writes differently. */
export function findingsOfReports(
  { file, code, lineAt }: Source,
  upgrade: Upgrade,
): readonly Finding<CallPlace>[] {
  const { section, since, members } = SCANNER_MEMBERS;
  if (!comesWith(upgrade, since) || !readsReport(code)) return [];
  const pattern = new RegExp(`\\b(?:${Object.keys(members).join("|")})\\b`, "g");
  return [...code.matchAll(pattern)].flatMap(({ 0: member, index }): Finding<CallPlace>[] => {
    // The records of hosts have risk factors, too.
    const before =
      code
        .slice(Math.max(0, index - 200), index)
        .split("\n")
        .at(-1) ?? "";
    const [behind = ""] = code.slice(index, index + 200).split("\n", 1);
    if (member === "riskFactors" && /\bhosts?\b/i.test(before + behind)) return [];
    const becomes = members[member as keyof typeof members];
    const line = lineAt(index);
    return [
      {
        severity: "error",
        section,
        message: `In an image scanner report of ${describeRelease(upgrade.to)}, ${member} is ${becomes}.`,
        replacement: "cdktf-console report convert writes either schema",
        place: { kind: "call", file, line, pathFile: file, pathLine: line, endLine: line },
      },
    ];
  });
}
