import type { CloudDiscoveryRecord } from "../../api/areas/cloud-discovery";
import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { computed, list, number, object, string } from "../schema/attribute";
import type { ValueOf } from "../schema/types";
import { knownAttribute, numberOf, textOf } from "./attributes";

const service = object({
  provider: computed(string(), "The cloud provider, as the console spells it."),
  region: knownAttribute(string(), "The region."),
  account_id: knownAttribute(string(), "The cloud account."),
  service_type: knownAttribute(string(), "The service, as the console spells it."),
  total: knownAttribute(number(), "How many there are."),
  defended: computed(
    number(),
    "How many of them are defended; `protected` in the answers of releases up to 20.12 (section 9.3.6).",
  ),
});

export const cloudDiscoveryAttributes = {
  services: computed(list(service), "What was discovered, in the console's order."),
  errors: computed(list(string()), "What kept accounts from being looked at."),
};

/** GET cloud/discovery (section 4.5), one list of what was found and of what could not be. */
export const cloudDiscovery: DataSourceDefinition<typeof cloudDiscoveryAttributes, Console> &
  DataSourceListing = {
  type: "cwp_cloud_discovery",
  category: "Serverless and cloud",
  description:
    "What the cloud accounts hold, and how much of it is defended (specification, section 4.5).",
  attributes: cloudDiscoveryAttributes,
  endpoints: ["getCloudDiscovery"],
  async read(_config, { connection: { client }, signal }) {
    const found = await client.cloudDiscovery.list(signal);
    return {
      state: {
        services: found.filter(isService).map(serviceOf),
        errors: found.flatMap(({ err }) => textOf(err) ?? []),
      },
    };
  },
};

function isService({ err, ...members }: CloudDiscoveryRecord): boolean {
  return textOf(err) === null || Object.keys(members).length > 0;
}

function serviceOf(found: CloudDiscoveryRecord): ValueOf<typeof service> {
  return {
    provider: found.provider ?? null,
    region: textOf(found.region),
    account_id: textOf(found.accountID),
    service_type: textOf(found.serviceType),
    total: numberOf(found.total),
    defended: numberOf(found.defended),
  };
}
