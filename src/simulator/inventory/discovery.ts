import { CLOUD_ACCOUNTS, type CloudAccount } from "./functions";
import type { Random } from "./random";

/** What was found of one service in one region: so many, and so many of them defended. */
export interface Discovered {
  readonly account: CloudAccount;
  readonly region: string;
  readonly service: string;
  readonly total: number;
  readonly defended: number;
}

/** Registries, clusters and hosts; functions are counted where they are. */
export function discoveredIn(random: Random): readonly Discovered[] {
  return CLOUD_ACCOUNTS.flatMap((account) =>
    account.regions.flatMap((region) =>
      random.some(account.services, 0.85).map((service) => {
        const total = random.between(1, 40);
        return { account, region, service, total, defended: random.integer(total + 1) };
      }),
    ),
  );
}

/** Accounts that could not be looked into: of those nothing is told but why. */
export const DISCOVERY_ERRORS: readonly string[] = [
  "credential aws-legacy: the security token included in the request is invalid",
  "credential gcp-old: permission denied on resource project, functions.list",
];
