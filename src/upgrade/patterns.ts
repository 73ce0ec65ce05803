import type { Route } from "../api/endpoint";
import { defendedTerm, ENDPOINT_NAMES, endpointFor } from "../api/endpoints";
import { describeRelease, SECTIONS, type Release } from "../api/release";
import {
  endpointChangesOf,
  comesWith,
  SCANNER_MEMBERS,
  type Change,
  type FindingSection,
  type Upgrade,
} from "./change";

/** A text by which a search finds scripts that use what an upgrade changes. */
export interface Pattern {
  /**
   * An extended regular expression for `grep -E`, ripgrep and JavaScript. Its first group is the text;
   * the second group requires an end of the text.
   */
  readonly expression: string;
  /** The section of the specification that describes the change. */
  readonly section: FindingSection;
  readonly message: string;
  readonly replacement?: string;
}

/** A change of one call, with the pattern that finds it. Several calls can have one pattern. */
interface Row {
  readonly expression: string;
  readonly section: FindingSection;
  readonly message: string;
  readonly replacement?: string | undefined;
}

/**
 * Lists a pattern for each path and section that the upgrade changes, in the order of the table of
 * endpoints. Calls with the same path share a pattern, because a search does not see the method.
 */
export function patternsOf(upgrade: Upgrade): readonly Pattern[] {
  const patterns = new Map<string, Row[]>();
  for (const row of [...endpointRows(upgrade), ...reportRows(upgrade)]) {
    const key = `${row.section} ${row.expression}`;
    patterns.set(key, [...(patterns.get(key) ?? []), row]);
  }
  return [...patterns.values()].flatMap(merged);
}

function merged(rows: readonly Row[]): Pattern[] {
  const [first] = rows;
  if (!first) return [];
  const replacements = [...new Set(rows.flatMap(({ replacement }) => replacement ?? []))];
  return [
    {
      expression: first.expression,
      section: first.section,
      message: [...new Set(rows.map(({ message }) => message))].join(" "),
      ...(replacements.length > 0 && {
        replacement: replacements.map((one) => one.replace(/[.]$/, "")).join("; "),
      }),
    },
  ];
}

function endpointRows(upgrade: Upgrade): readonly Row[] {
  return ENDPOINT_NAMES.flatMap((name) => {
    const before = endpointFor(name, upgrade.from);
    if (!before) return [];
    const changes = endpointChangesOf(name, upgrade);
    const isMoved = changes.some((one) => one.kind === "moved" && one.to.path !== before.path);
    const expression = expressionOf(before, isMoved);
    return changes.map((change): Row => {
      const [message, replacement] = describe(change, before, upgrade);
      return { expression, section: change.section, message, replacement };
    });
  });
}

const PREFIX = "/api/v1/";

/**
 * Makes the pattern of a path. A path of one segment is a common word, so the pattern requires
 * `api/v1/` before it. If the path itself moves, the pattern also finds the paths below it.
 */
function expressionOf({ path }: Route, isMoved: boolean): string {
  const below = path.slice(PREFIX.length);
  const text = (below.includes("/") ? below : path.slice(1))
    .replaceAll(".", "[.]")
    .replace(/\{\w+\}/g, `[^/"' ]+`);
  return `(${text})([^A-Za-z0-9_${isMoved ? "" : "/"}-]|$)`;
}

function describe(
  change: Change,
  { method, path }: Route,
  { from, to }: Upgrade,
): [message: string, replacement?: string] {
  const call = `${method} ${path}`;
  const release = describeRelease(to);
  switch (change.kind) {
    case "removed":
      return [`${sentence(release)} does not have ${call}.`];
    case "moved":
      return [
        change.answeredBy === undefined
          ? `${sentence(release)} refuses ${call}.`
          : `In ${release}, ${call} is another endpoint (${change.answeredBy}): the call succeeds, with another effect.`,
        `${change.to.method} ${change.to.path}`,
      ];
    case "replaced":
      return [`In the answer to ${call} of ${release}, ${change.why}.`];
    case "deprecated":
      return [`${call} is deprecated since release ${change.since}: ${change.why}.`];
    case "renamed":
      return renamed(change.places, from, to);
    case "announced":
      return [change.announcement.what, change.announcement.instead];
  }
}

const PLACES = {
  query: "the query parameter",
  member: "the member of the answer",
  column: "the CSV column",
};

function renamed(
  places: readonly (keyof typeof PLACES)[],
  from: Release,
  to: Release,
): [message: string, replacement: string] {
  const [old, now] = [defendedTerm(from), defendedTerm(to)];
  const names = places.map((place) => PLACES[place]).join(" and ");
  const are = places.length === 1 ? "is" : "are";
  const message = `In ${describeRelease(to)}, ${names} "${old}" ${are} called "${now}".`;
  return [message, `"${now}" for "${old}"`];
}

function reportRows(upgrade: Upgrade): readonly Row[] {
  const { section, members } = SCANNER_MEMBERS;
  if (!comesWith(upgrade, SECTIONS[section].since)) return [];
  return Object.entries(members).map(([member, becomes]) => ({
    expression: `(${member})([^A-Za-z0-9_]|$)`,
    section,
    message: `In an image scanner report of ${describeRelease(upgrade.to)}, ${member} is ${becomes}.`,
    replacement: "cdktf-console report convert writes either schema",
  }));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
