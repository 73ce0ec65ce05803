import { compliancePolicyAttributes } from "../resources/compliance-policy";
import { list, object, required } from "../schema/attribute";

/** The policies of `cwp_compliance_policy_set`, as functions take and give them. */
export const policiesAttributes = {
  policies: required(list(object(compliancePolicyAttributes)), "The policies, in their order."),
};
