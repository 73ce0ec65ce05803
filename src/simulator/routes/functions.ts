import { defendedTerm } from "../../api/endpoints";
import type { Release } from "../../api/release";
import { csvResponse } from "../csv";
import { isDefended } from "../defended";
import type { ServerlessFunction } from "../inventory";
import { flag, pageResponse, pageSchema, withQuery } from "../query";
import type { Handlers, RouteContext } from "../route";

/** Neither release knows the other's name; what it does not know, it ignores (9.3.6). */
const QUERIES = {
  protected: pageSchema
    .extend({ protected: flag.optional() })
    .transform(({ protected: defended, ...page }) => ({ defended, page })),
  defended: pageSchema
    .extend({ defended: flag.optional() })
    .transform(({ defended, ...page }) => ({ defended, page })),
};

const query = ({ release }: RouteContext) => QUERIES[defendedTerm(release)];

/** Serverless functions (section 4.5). */
export const functions = {
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
