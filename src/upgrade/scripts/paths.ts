import type { Endpoint } from "../../api/endpoint";
import { ENDPOINT_NAMES, ENDPOINTS } from "../../api/endpoints";

/** Marks a part of a text that only the running script knows. */
export const HOLE = "\u0001";

/** A path of the API as a script writes it. */
export interface ApiPath {
  /** Paths of the endpoint table; several where a hole leaves the choice. */
  readonly paths: readonly string[];
  /** The text continues below the path, as in `/custom-rules/5`. */
  readonly below: boolean;
  /** Without its question mark. */
  readonly query: string;
  /** `prefixed`: behind `api/v1/`; `based`: behind a hole; `bare`: the path alone. */
  readonly form: "prefixed" | "based" | "bare";
}

const PREFIX = "api/v1/";

interface KnownPath {
  readonly path: string;
  readonly segments: readonly string[];
}

/** The paths of all releases, by their first segment. */
const KNOWN = new Map<string, KnownPath[]>();
for (const name of ENDPOINT_NAMES) {
  const { routes }: Endpoint = ENDPOINTS[name];
  for (const { path } of routes) {
    const segments = path.slice(PREFIX.length + 1).split("/");
    const [first = ""] = segments;
    const known = KNOWN.get(first) ?? [];
    if (known.every((other) => other.path !== path)) known.push({ path, segments });
    KNOWN.set(first, known);
  }
}

const SEGMENTS = new Set(
  [...KNOWN.values()].flatMap((known) => known.flatMap(({ segments }) => segments)),
);
const FIRST_SEGMENT = new RegExp(`(?<![\\w.-])(?:${[...KNOWN.keys()].join("|")})(?!\\w)`);
/**
 * The scheme, host, port and folders of a console; no file path and no pattern. A variable may hold
 * the prefix that follows it once more.
 */
const ADDRESS = new RegExp(
  `^/?(?:api/v1/)?$|^https?://[^*^\\\\]*/$|^[\\w.@${HOLE}-]*(?::[\\d${HOLE}]+)?(?<!^)(?:/[\\w.${HOLE}-]+)*/?$`,
);
const BASE = new RegExp(`^(?:https?://)?(?:[^/]*${HOLE}[^/]*/+)*${HOLE}*/*`);

/** Reports whether a text can be a piece of an address or of a path. */
export function isPiece(text: string): boolean {
  return text.includes("/") || SEGMENTS.has(text);
}

/** Returns the path that the text of a URL ends in; undefined where the API has none such. */
export function readPath(text: string): ApiPath | undefined {
  if (!FIRST_SEGMENT.test(text)) return undefined;
  const [target = "", query = ""] = text.split(/[?#](.*)/s, 2);
  const prefix = target.lastIndexOf(PREFIX);
  if (prefix !== -1) {
    if (!ADDRESS.test(target.slice(0, prefix))) return undefined;
    return find(target.slice(prefix + PREFIX.length), query, "prefixed");
  }
  const base = BASE.exec(target)?.[0] ?? "";
  return find(target.slice(base.length), query, base.includes(HOLE) ? "based" : "bare");
}

const ATTACHED_QUERY = new RegExp(`(?<=\\w)${HOLE}$`);

function find(rest: string, given: string, form: ApiPath["form"]): ApiPath | undefined {
  // A variable right behind a word, as in `"/serverless/names" + query`.
  const query = ATTACHED_QUERY.test(rest) ? HOLE : given;
  const segments = rest
    .replace(ATTACHED_QUERY, "")
    .replace(/[/.:]+$/, "")
    .split("/", 20);
  const candidates = KNOWN.get(segments[0] ?? "") ?? [];
  // A variable at the end may hold several segments.
  const open = segments.length > 1 && segments.at(-1) === HOLE ? candidates : [];
  const longer = open.filter(
    (known) => known.segments.length >= segments.length && startsAlike(known, segments),
  );
  if (longer.length > 0) {
    return { paths: longer.map(({ path }) => path), below: false, query, form };
  }
  // A path of one segment is a common word, which other APIs have more below.
  for (let count = segments.length; count === segments.length || count > 1; count--) {
    const found = candidates.filter(
      (known) => known.segments.length === count && startsAlike(known, segments.slice(0, count)),
    );
    const below = count < segments.length;
    if (found.length > 0) return { paths: found.map(({ path }) => path), below, query, form };
  }
  return undefined;
}

function startsAlike(known: KnownPath, segments: readonly string[]): boolean {
  return segments.every((segment, index) => isSame(known.segments[index] ?? "", segment));
}

/** Compares a segment of the table, which may have a `{parameter}`, with one that may have holes. */
function isSame(known: string, text: string): boolean {
  const [knownStart, knownEnd] = around(known, /\{\w+\}/);
  const [start, end] = around(text, HOLES);
  if (end === undefined && knownEnd === undefined) return known === text;
  if (end === undefined) return fits(text, knownStart, knownEnd ?? "");
  if (knownEnd === undefined) return fits(known, start, end);
  return (
    (knownStart.startsWith(start) || start.startsWith(knownStart)) &&
    (knownEnd.endsWith(end) || end.endsWith(knownEnd))
  );
}

const HOLES = new RegExp(`${HOLE}.*${HOLE}|${HOLE}`);

/** The text before and after a variable part; without an end where there is none. */
function around(text: string, variable: RegExp): readonly [string, string?] {
  const match = variable.exec(text);
  if (!match) return [text];
  return [text.slice(0, match.index), text.slice(match.index + match[0].length)];
}

function fits(text: string, start: string, end: string): boolean {
  return text.length > start.length + end.length && text.startsWith(start) && text.endsWith(end);
}
