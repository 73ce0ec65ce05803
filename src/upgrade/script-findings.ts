import type { Method } from "../api/endpoint";
import { defendedTerm, routesOf, type ResolvedEndpoint } from "../api/endpoints";
import { compareReleases, RELEASES, type Release } from "../api/release";
import { releaseInWords } from "../provider/console/release-changes";
import { SCANNER_MEMBERS, type Announcement } from "./announced";
import { changesOf, comesWith, type Change, type Upgrade } from "./change";
import type { CallPlace, Finding, Severity } from "./finding";
import type { Call } from "./scripts/calls";
import type { Reading } from "./scripts/reading";

type Found = Omit<Finding<CallPlace>, "place"> & { readonly endpoint: ResolvedEndpoint };

/** What the upgrade does to a call; nothing for most. */
export function findingsOfCall(call: Call, upgrade: Upgrade): readonly Finding<CallPlace>[] {
  const endpoints = endpointsOf(call, upgrade);
  const found = endpoints.flatMap((endpoint) =>
    changesOf(endpoint.name, upgrade).flatMap((change): Found[] => {
      const told = tell(change, endpoint, call, upgrade);
      return told ? [{ ...told, section: change.section, endpoint }] : [];
    }),
  );
  const all = endpoints.length === 0 ? ofAnotherRelease(call, upgrade) : found;
  // A variable that may hold several paths makes one call, which one thing happens to.
  const first = new Map(all.toReversed().map((one) => [one.section, one]));
  return [...first.values()].toReversed().map(({ endpoint, ...finding }) => ({
    ...finding,
    place: placeOf(call, endpoint.method, all.length > first.size ? undefined : endpoint.path),
  }));
}

/** The endpoints that the console of the older release takes the call for. */
function endpointsOf({ method, paths }: Call, { from }: Upgrade): readonly ResolvedEndpoint[] {
  const there = routesOf(from).filter(({ path }) => paths.includes(path));
  const asked = there.filter((route) => route.method === (method ?? "GET"));
  return asked.length > 0 || method !== undefined ? asked : there;
}

/** A call that an older release than `from` knows, and `to` does not, does not work as it is. */
function ofAnotherRelease({ method = "GET", paths }: Call, { from, to }: Upgrade): Found[] {
  const isCalled = (route: ResolvedEndpoint) =>
    route.method === method && paths.includes(route.path);
  if (routesOf(to).some(isCalled)) return [];
  const older = RELEASES.filter((release) => compareReleases(release, from) < 0);
  const known = older.flatMap((release) => routesOf(release)).find(isCalled);
  if (!known) return [];
  return [
    {
      endpoint: known,
      severity: "note",
      section: "9",
      message: `Release ${from} has it no more: it belongs to release ${known.until}.`,
    },
  ];
}

interface Told {
  readonly severity: Severity;
  readonly message: string;
  readonly replacement?: string;
}

function tell(
  change: Change,
  endpoint: ResolvedEndpoint,
  call: Call,
  upgrade: Upgrade,
): Told | undefined {
  const { to } = upgrade;
  switch (change.kind) {
    case "removed":
      return { severity: "error", message: `${sentence(to)} has no such endpoint.` };
    case "moved": {
      const { method, path } = change.to;
      const old = `${endpoint.method} ${endpoint.path}`;
      const fate =
        change.taken === undefined
          ? `${sentence(to)} refuses it: the endpoint is ${method === endpoint.method ? "at another path" : `called by ${method}`}.`
          : `${sentence(to)} takes ${old} for something else (${change.taken}): the call succeeds, with another effect.`;
      return { severity: "error", message: fate, replacement: `${method} ${path}` };
    }
    case "replaced":
      return { severity: "error", message: `In ${releaseInWords(to)}, ${change.why}.` };
    case "deprecated":
      return {
        severity: "warning",
        message: `Deprecated since release ${change.since}: ${change.why}.`,
        replacement: "nothing takes its place",
      };
    case "renamed":
      return tellRereleaseInWords(change.places, call, upgrade);
    case "announced":
      return tellAnnounced(change.announcement, call);
  }
}

function sentence(release: Release): string {
  return releaseInWords(release).replace(/^[rt]/, (letter) => letter.toUpperCase());
}

const PLACES = {
  query: "the query parameter",
  member: "the answer's member",
  column: "the CSV column",
};

function tellRereleaseInWords(
  places: NonNullable<ResolvedEndpoint["defended"]>,
  { query, statement, reading }: Call,
  { from, to }: Upgrade,
): Told | undefined {
  const [old, now] = [defendedTerm(from), defendedTerm(to)];
  const uses = new RegExp(`\\b${old}\\b`);
  const isAsked = uses.test(query) || uses.test(statement);
  const isInAnswer = places.some((place) => place !== "query");
  const isAround = uses.test(reading.code);
  if (!isInAnswer && !isAround) return undefined;
  const names = places.map((place) => PLACES[place]).join(" and ");
  const message = `In ${releaseInWords(to)}, ${names} "${old}" ${places.length === 1 ? "is" : "are"} called "${now}".`;
  const severity = isInAnswer || isAsked ? "error" : "warning";
  return { severity, message, replacement: `"${now}" for "${old}"` };
}

/** What a request's body is recognized by, where the call itself has one. */
const BODY =
  /["']?\b(?:(?:credentialI[dD]s?|repository|registry|provider|cap)["']?\s*(?::|=>)|specifications["']?\s*(?::|=>)\s*\[\s*\])/;

function tellAnnounced(announcement: Announcement, call: Call): Told | undefined {
  const { sign, severity, what, instead } = announcement;
  const { statement } = call;
  const isShown = sign.test(statement) || (!BODY.test(statement) && call.isAround(sign));
  if (!isShown && BODY.test(statement)) return undefined;
  const doubt = isShown ? "" : " Whether this call is concerned, it does not show.";
  return {
    severity,
    message: `${what}${doubt}`,
    replacement: instead,
  };
}

function placeOf(call: Call, method: Method, path: string | undefined): CallPlace {
  const { reading, line, pathLine, endLine, paths } = call;
  return {
    kind: "call",
    file: reading.file,
    line,
    pathLine,
    endLine,
    method,
    path: path ?? commonPath(paths),
  };
}

/** With `*` where the paths differ. */
function commonPath(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split("/"));
  return first
    .map((segment, index) => (others.every((other) => other[index] === segment) ? segment : "*"))
    .join("/");
}

/** Where a script reads members of a scanner's report that the next release's scanner writes otherwise. */
export function findingsOfReports(
  { file, code }: Reading,
  upgrade: Upgrade,
): readonly Finding<CallPlace>[] {
  const { section, since, members } = SCANNER_MEMBERS;
  if (!comesWith(upgrade, since) || !/vulnerabilit|publishedDays|discoveredDays/i.test(code))
    return [];
  return code.split("\n").flatMap((content, index) =>
    Object.entries(members).flatMap(([member, becomes]): Finding<CallPlace>[] => {
      if (!new RegExp(`\\b${member}\\b`).test(content)) return [];
      const line = index + 1;
      return [
        {
          severity: "warning",
          section,
          message: `In an image scanner report of ${releaseInWords(upgrade.to)}, ${member} is ${becomes}.`,
          replacement: "cdktf-console report convert writes either schema",
          place: {
            kind: "call",
            file,
            line,
            pathLine: line,
            endLine: line,
          },
        },
      ];
    }),
  );
}
