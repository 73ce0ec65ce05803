import { z } from "zod";
import { kindAt } from "../../api/catalogue/catalogue";
import { API, endpointAt, endpointsOfPath, placeAt } from "../../api/catalogue/described-place";
import { pathProblem } from "../../api/catalogue/path";
import { SchemaMismatchError } from "../../api/errors";
import { error, type Diagnostic } from "../../core/diagnostics";
import { isRecord, memberOf } from "../../core/member-of";
import {
  anything,
  bool,
  computed,
  list,
  map,
  optional,
  required,
  string,
} from "../../core/schema/attribute";
import type { ObjectValue } from "../../core/values";
import { withoutPaths } from "../collections/secret-paths";
import { valueOfJson } from "../generic/json-value";
import { dataSource } from "../listing";

const attributes = {
  path: required(string(), "Path below `/api/v1`, as in `policies/admission`."),
  query: optional(map(string()), "Query parameters."),
  member: optional(
    string(z.string().min(1)),
    "Member of the answer to return. Default: that of the catalogue, else the whole answer.",
  ),
  members: optional(
    list(string(z.string().min(1))),
    "Members to keep of each row of a list. Required for more than 1,000 rows.",
  ),
  unlisted: optional(bool(), "Set it to true for a path that the catalogue does not have."),
  result: computed(
    anything(),
    "The answer, without members that the catalogue calls secret. It is stored in the state.",
    { sensitive: true },
  ),
  public_result: computed(
    anything(),
    "The same, and not sensitive, for a kind that the catalogue marks as public. Null for all others.",
  ),
};

/** More rows than this would make a state large without need. */
const MOST_ROWS = 1_000;

/** Any read of the console without an effect. */
export const get = dataSource({
  type: "cwp_get",
  category: "Anything else",
  description: "The JSON of any read of the console that has no effect.",
  attributes,
  sample: { path: "policies/admission" },
  endpointsOf: ({ path = null }) =>
    typeof path === "string" ? endpointsOfPath(path, ["GET"]) : [],
  validate: (config) => validate(config),
  async read(config, { connection: { client }, signal }) {
    const { path, query, members } = config;
    const kind = kindAt(path)?.kind;
    const member = config.member ?? (kind && "member" in kind ? kind.member : undefined);
    const target = endpointAt(placeAt(path, kind), "GET");
    const asked = { what: `entries of ${path}`, query: query ?? {}, signal, member };
    const isPage = query !== null && ("limit" in query || "offset" in query);
    const options = {
      ...asked,
      key: kind && "key" in kind ? kind.key : undefined,
      rowOf: (row: unknown, index: number) =>
        members || index < MOST_ROWS ? shown(picked(row, members), kind?.secrets) : null,
    };
    const { rows, rest } = await (isPage
      ? client.rows(target, options)
      : client.wholeRows(target, options));
    if (rows && rows.length > MOST_ROWS && members === null) {
      const detail = `${path} has ${rows.length} rows. Set members to what is needed of each.`;
      return { state: null, diagnostics: [error("Too many rows", detail, ["members"])] };
    }
    const hasPages = !rows && !isPage && target.pages;
    const document = hasPages ? await client.wholeJson(target, asked) : rest.json();
    const result = rows ?? shown(partOf(document, member, path), kind?.secrets);
    return { state: { ...config, result, public_result: kind?.public ? result : null } };
  },
});

function partOf(body: unknown, member: string | undefined, path: string): unknown {
  if (member === undefined) return body;
  const found = isRecord(body) ? memberOf(body, member) : undefined;
  if (found !== undefined) return found;
  throw new SchemaMismatchError(`The answer of GET ${API}${path} has no member ${member}.`, []);
}

function picked(row: unknown, members: readonly string[] | null): unknown {
  if (!members || !isRecord(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => members.includes(name)));
}

function shown(json: unknown, secrets: readonly string[] = []) {
  // Decoded JSON has no unknown value.
  const paths = secrets.map((path) => path.split("."));
  return valueOfJson(isRecord(json) ? withoutPaths(json, paths) : json);
}

/** Paths of secrets, with all paths below them. */
const OF_SECRETS = /^(?:credentials|users|authenticate|settings\/license)(?:\/|$)/i;

function validate({ path = null, unlisted = null }: ObjectValue): readonly Diagnostic[] {
  if (typeof path !== "string") return [];
  if (OF_SECRETS.test(path)) {
    const detail = "Its answer would be stored in the state.";
    const license = " The data source cwp_license reads the type, expiry and workloads.";
    return [error("Path of secrets", `${detail}${/license/i.test(path) ? license : ""}`, ["path"])];
  }
  const problem = pathProblem(path, "read");
  if (problem) return [error(problem.summary, problem.detail, ["path"])];
  if (kindAt(path) || unlisted !== null) return [];
  const detail = `Nobody has checked that a GET of ${path} has no effect. Set unlisted = true to read it.`;
  return [error("Path is not in the catalogue", detail, ["path"])];
}
