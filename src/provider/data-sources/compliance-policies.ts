import { dataSource } from "../listing";
import { compliancePolicyAttributes, scopeAttributes } from "../resources/compliance-policy";
import { policyCodec, resourcesOf } from "../resources/compliance-policy-codec";
import { bool, computed, list, map, object, set, string } from "../../core/schema/attribute";
import { stateOf } from "../../core/schema/types";
import { jsonAttribute, jsonText } from "./attributes";

const resourcesAttributes = scopeAttributes((description) => computed(set(string()), description));

const policyAttributes = {
  name: computed(string(), "Name of the policy."),
  disabled: computed(bool(), "True if the policy is not enforced."),
  verbose: computed(bool(), "True if the message of a blocked action is verbose."),
  resources: computed(object(resourcesAttributes), "Scope of the policy."),
  collections: computed(list(string()), "Names of the collections that limit the policy."),
  checks: computed(map(bool()), "Compliance checks by ID. `true` blocks, `false` alerts."),
  owner: computed(string(), "User who created the policy; `system` for default policies."),
  modified: computed(string(), "Time of the last modification, in the console's format."),
};

const attributes = {
  policies: computed(list(object(policyAttributes)), "All policies, in order."),
  policies_json: jsonAttribute(
    "The policies with all members, including obsolete and unknown ones",
  ),
};

/** Reads the container compliance policies (section 2.4). */
export const compliancePolicies = dataSource({
  type: "cwp_compliance_policies",
  category: "Policies",
  description: "The console's container compliance policies (specification, section 2.4).",
  attributes,
  endpoints: ["getCompliancePolicies"],
  async read(_config, { connection: { client }, signal }) {
    const { items } = await client.read("policies", signal);
    const policies = items.map((item) => {
      const { name, disabled, verbose, collections, checks } = stateOf(
        compliancePolicyAttributes,
        policyCodec.decode(item, undefined),
      );
      const { owner = null, modified = null } = item;
      const resources = resourcesOf(item);
      return { name, disabled, verbose, resources, collections, checks, owner, modified };
    });
    return { state: { policies, policies_json: jsonText(items) } };
  },
});
