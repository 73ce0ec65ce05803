import { isDefended } from "./defended";
import type { Document } from "./documents";
import type { Discovered, Inventory, ServerlessFunction } from "./inventory";

/** What was found in the cloud accounts: functions as they are now, and the rest. */
export function discover(
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
