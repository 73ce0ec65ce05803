import { memberOf } from "../../core/member-of";
import { isExactNumber } from "../../core/json/lossless-json";
import { defendedTerm, type ResolvedEndpoint } from "../endpoints";

export type Params = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Fills in the parameters of a path. A missing parameter is a programming error. */
export function fillPath(path: string, params: Params): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = memberOf(params, name);
    if (value === undefined || value === "") throw new TypeError(`no ${name} given for ${path}`);
    return pathSegment(value);
  });
}

/** Makes one segment of a path of any text. */
function pathSegment(text: string): string {
  // Servers and proxies take dots for the folder itself, or the one above.
  if (/^\.{1,2}$/.test(text)) return text.replaceAll(".", "%2E");
  // By way of bytes, because a lone surrogate has no encoding.
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Returns why not every console and proxy finds what a segment of a path names; undefined if they do. */
export function segmentProblem(text: string): string | undefined {
  if (text === "") return "it is empty";
  if (/^\.{1,2}$/.test(text)) return "servers take dots alone for a folder";
  if (text.includes("/"))
    return "it contains a slash, which many servers take for the end of a name";
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]|\p{Surrogate}/u.test(text))
    return "it contains a character that no path can carry";
  return undefined;
}

/** Formats a query with its `?`; "" if it is empty. */
export function formatQuery(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? "" : `?${text}`;
}

/** Renames `defended` to the release's term if 9.3.6 names the endpoint's query. */
export function termsOf(
  { defended: places, release }: Pick<ResolvedEndpoint, "defended" | "release">,
  query: Query,
): Query {
  if (!places?.includes("query")) return query;
  const { defended, ...rest } = query;
  return { ...rest, [defendedTerm(release)]: defended };
}

/** Converts a JSON object to a query: strings, numbers and booleans only. */
export function queryOf(input: Readonly<Record<string, unknown>>): Query {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (isExactNumber(value)) return [[name, value.value]];
      const isScalar = ["string", "number", "boolean"].includes(typeof value);
      return isScalar ? [[name, String(value)]] : [];
    }),
  );
}
