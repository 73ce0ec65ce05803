import type { Console } from "../console/connection";
import type { DataSourceDefinition } from "../definitions/data-source-definition";
import type { DataSourceListing } from "../definitions/listing";
import { compliancePolicyAttributes, policyCodec } from "../resources/compliance-policy";
import { bool, computed, list, map, object, set, string } from "../schema/attribute";
import { stateOf } from "../schema/types";
import { jsonAttribute, jsonText } from "./attributes";

const scope = (what: string) =>
  computed(set(string()), `${what} that the policy is for; \`*\` matches all.`);

const resourcesAttributes = {
  hosts: scope("Hosts"),
  images: scope("Images"),
  labels: scope("Labels"),
  containers: scope("Containers"),
  namespaces: scope("Namespaces"),
  account_ids: scope("Cloud account IDs"),
};

const policyAttributes = {
  name: computed(string(), "Name of the policy."),
  disabled: computed(bool(), "Whether the policy is kept but not enforced."),
  verbose: computed(bool(), "Whether the message of a blocked action is verbose."),
  resources: computed(object(resourcesAttributes), "What the policy is for."),
  checks: computed(
    map(bool()),
    "The compliance checks, by ID: whether each one blocks (`true`) or alerts (`false`).",
  ),
  owner: computed(
    string(),
    "Who created the policy; `system` for those that the console brings along.",
  ),
  modified: computed(string(), "When the policy was last modified, as the console says it."),
};

export const compliancePoliciesAttributes = {
  policies: computed(list(object(policyAttributes)), "All policies, in their order."),
  policies_json: jsonAttribute(
    "The policies with every member that the console has, obsolete and unknown ones too",
  ),
};

/** Section 2.4: the container compliance policies. */
export const compliancePolicies: DataSourceDefinition<
  typeof compliancePoliciesAttributes,
  Console
> &
  DataSourceListing = {
  type: "cwp_compliance_policies",
  category: "Policies",
  description: "The console's container compliance policies (specification, section 2.4).",
  attributes: compliancePoliciesAttributes,
  endpoints: ["getCompliancePolicies"],
  async read(_config, { connection: { client }, signal }) {
    const { items } = await client.read("policies", signal);
    const policies = items.map((item) => ({
      ...stateOf(compliancePolicyAttributes, policyCodec.decode(item, undefined)),
      owner: item.owner ?? null,
      modified: item.modified ?? null,
    }));
    return { state: { policies, policies_json: jsonText(items) } };
  },
};
