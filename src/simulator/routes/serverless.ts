import { defendedTerm } from "../../api/endpoints";
import type { Release } from "../../api/release";
import type { Document } from "../documents";
import { HOSTS, type ServerlessFunction } from "../inventory";
import { csvResponse, jsonResponse } from "../messages";
import { flagParameter, pageResponse, pageSchema, withQuery } from "../query";
import type { Handlers, RouteContext } from "../route";

/** Each release ignores the other's parameter, like any unknown one (9.3.6). */
const QUERIES = {
  protected: pageSchema
    .extend({ protected: flagParameter.optional() })
    .transform(({ protected: defended, ...page }) => ({ defended, page })),
  defended: pageSchema
    .extend({ defended: flagParameter.optional() })
    .transform(({ defended, ...page }) => ({ defended, page })),
};

const query = ({ release }: RouteContext) => QUERIES[defendedTerm(release)];

/** Serverless functions (section 4.5). */
export const functionRoutes = {
  getServerlessFunctions: withQuery(query, (context, { defended, page }) =>
    pageResponse(select(context, defended), page, (found) => functionRecord(found, context)),
  ),

  getServerlessFunctionNames: withQuery(query, (context, { defended, page }) =>
    pageResponse(select(context, defended), page, ({ name }) => name),
  ),

  downloadServerlessFunctions: withQuery(query, (context, { defended }) =>
    csvResponse(
      columns(context.release),
      select(context, defended).map((found) => functionRecord(found, context)),
    ),
  ),
} satisfies Handlers;

function select({ inventory, state }: RouteContext, defended: boolean | undefined) {
  const { serverlessAutoDeploy } = state.data.collections;
  return defended === undefined
    ? inventory().functions
    : inventory().functions.filter((found) => isDefended(found, serverlessAutoDeploy) === defended);
}

function columns(release: Release): readonly string[] {
  return [
    "name",
    "provider",
    "region",
    "accountID",
    "runtime",
    "handler",
    "memory",
    "timeout",
    "description",
    defendedTerm(release),
  ];
}

function functionRecord(found: ServerlessFunction, { release, state }: RouteContext) {
  const { id, name, account, region, runtime, handler, description, memory, timeout } = found;
  return {
    _id: id,
    name,
    provider: account.provider,
    region,
    accountID: account.id,
    credentialID: account.credentialID,
    runtime,
    handler,
    description,
    memory,
    timeout,
    [defendedTerm(release)]: isDefended(found, state.data.collections.serverlessAutoDeploy),
  };
}

/** Status of auto-deploy (section 4.4). */
export const statusRoutes = {
  /** Every function that a specification covers has a defender. */
  getServerlessAutoDeployStatus: ({ state, release, inventory }) =>
    jsonResponse(200, {
      serverlessAutoDeploy: {
        specs: state.data.collections.serverlessAutoDeploy.map((specification) => ({
          name: specification.name,
          [defendedTerm(release)]: inventory().functions.filter((found) =>
            reaches(specification, found),
          ).length,
        })),
      },
    }),

  getHostAutoDeployStatus: ({ release }) => {
    const defended = HOSTS.filter((host) => host.defended).length;
    const status = { [defendedTerm(release)]: defended };
    return jsonResponse(200, { hostAutoDeploy: { status } });
  },
} satisfies Handlers;

/** True if a function has a defender, installed before or by auto-deploy. */
export function isDefended(func: ServerlessFunction, autoDeploy: readonly Document[]): boolean {
  return func.defended || autoDeploy.some((specification) => reaches(specification, func));
}

/**
 * True if an auto-deploy specification covers the function, by provider and runtime, where `nodejs`
 * covers every `nodejs12.x`. Empty and missing members match all.
 */
function reaches(
  { provider, runtimes }: Document,
  { account, runtime }: ServerlessFunction,
): boolean {
  const isOfProvider = typeof provider !== "string" || ["", account.provider].includes(provider);
  const prefixes = Array.isArray(runtimes) ? runtimes.map(String) : [];
  return (
    isOfProvider && (prefixes.length === 0 || prefixes.some((prefix) => runtime.startsWith(prefix)))
  );
}
