import { defendedTerm } from "../../api/endpoints";
import type { Document } from "../documents";
import {
  DISCOVERY_ERRORS,
  type Discovered,
  type Inventory,
  type ServerlessFunction,
} from "../inventory";
import { csvResponse, jsonResponse } from "../messages";
import type { Handlers, RouteContext } from "../route";
import { isDefended } from "./serverless";

/** Cloud discovery (section 4.5): a bare array without pages. */
export const discoveryRoutes = {
  getCloudDiscovery: (context) =>
    jsonResponse(
      200,
      records(context).map((record) =>
        "err" in record ? record : { ...record, registry: "", entities: [], collections: [] },
      ),
    ),

  downloadCloudDiscovery: (context) =>
    csvResponse(
      [
        "provider",
        "region",
        "accountID",
        "credentialID",
        "serviceType",
        "total",
        defendedTerm(context.release),
        "err",
      ],
      records(context),
    ),
} satisfies Handlers;

function records({ inventory, state, release }: RouteContext) {
  const found = discover(inventory(), state.data.collections.serverlessAutoDeploy).map(
    ({ account, region, service, total, defended }: Discovered) => ({
      provider: account.provider,
      region,
      accountID: account.id,
      credentialID: account.credentialID,
      serviceType: service,
      total,
      [defendedTerm(release)]: defended,
    }),
  );
  return [...found, ...DISCOVERY_ERRORS.map((err) => ({ err }))];
}

/** Returns the discovered objects, including the current functions. */
function discover(
  { functions, discovered }: Inventory,
  autoDeploy: readonly Document[],
): readonly Discovered[] {
  const byRegion = new Map<string, readonly [ServerlessFunction, ...ServerlessFunction[]]>();
  for (const found of functions) {
    const key = `${found.account.id}/${found.region}`;
    byRegion.set(key, [found, ...(byRegion.get(key) ?? [])]);
  }
  const counted = [...byRegion.values()].map((inRegion) => {
    const { account, region } = inRegion[0];
    return {
      account,
      region,
      service: account.functionService,
      total: inRegion.length,
      defended: inRegion.filter((found) => isDefended(found, autoDeploy)).length,
    };
  });
  return [...counted, ...discovered];
}
