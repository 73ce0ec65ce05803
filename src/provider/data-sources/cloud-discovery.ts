import type { CloudDiscoveryRecord } from "../../api/areas/cloud";
import { dataSource } from "../listing";
import { computed, list, number, object, string } from "../../core/schema/attribute";
import type { ValueOf } from "../../core/schema/types";
import { knownAttribute, numberOf, textOf } from "./attributes";

const service = object({
  provider: computed(string(), "Cloud provider, in the console's spelling."),
  region: knownAttribute(string(), "Region."),
  account_id: knownAttribute(string(), "Cloud account."),
  service_type: knownAttribute(string(), "Cloud service, in the console's spelling."),
  total: knownAttribute(number(), "Number of objects."),
  defended: computed(
    number(),
    "Number of defended objects. Releases up to 20.12 call it `protected` (section 9.3.6).",
  ),
});

const attributes = {
  services: computed(list(service), "Discovered services, in the console's order."),
  errors: computed(list(string()), "Errors of accounts that could not be scanned."),
};

/** GET cloud/discovery (section 4.5) returns services and errors in one list. */
export const cloudDiscovery = dataSource({
  type: "cwp_cloud_discovery",
  category: "Serverless and cloud",
  description:
    "Services in the cloud accounts and how many of their objects are defended (specification, section 4.5).",
  attributes,
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
});

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
