import { isExactNumber } from "../json";
import { defendedTerm, type ResolvedEndpoint } from "../endpoints";

export type Params = Readonly<Record<string, string>>;
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The path with its braces filled in. A parameter that is not given is a bug of the caller. */
export function fillPath(path: string, params: Params): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`no ${name} given for ${path}`);
    return encodeURIComponent(value);
  });
}

/** With its `?`, or "". */
export function formatQuery(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? "" : `?${text}`;
}

/** The query under the release's name for `defended`, where 9.3.6 names the endpoint's. */
export function termsOf(
  { defended: places, release }: Pick<ResolvedEndpoint, "defended" | "release">,
  query: Query,
): Query {
  if (!places?.includes("query")) return query;
  const { defended, ...rest } = query;
  return { ...rest, [defendedTerm(release)]: defended };
}

/** What a query can carry of a JSON object: its texts, numbers and booleans. */
export function queryOf(input: Readonly<Record<string, unknown>>): Query {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      if (isExactNumber(value)) return [[name, value.value]];
      const isScalar = ["string", "number", "boolean"].includes(typeof value);
      return isScalar ? [[name, String(value)]] : [];
    }),
  );
}
