import { discover } from "../cloud-discovery";
import { csvResponse } from "../csv";
import { defendedTerm } from "../../api/endpoints";
import { DISCOVERY_ERRORS, type Discovered } from "../inventory";
import { jsonResponse } from "../messages";
import type { Handlers, RouteContext } from "../route";

/** Cloud discovery (section 4.5): a bare array, in one piece. */
export const cloudDiscovery = {
  getCloudDiscovery: (context) =>
    jsonResponse(
      200,
      JSON.stringify([...records(context), ...DISCOVERY_ERRORS.map((err) => ({ err }))]),
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
      [...records(context), ...DISCOVERY_ERRORS.map((err) => ({ err }))],
    ),
} satisfies Handlers;

function records({ inventory, state, release }: RouteContext) {
  return discover(inventory(), state.data.collections.serverlessAutoDeploy).map(
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
}
