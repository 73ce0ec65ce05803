import { onceForEach } from "../../core/alike";
import {
  collectionId,
  onDestroyAttribute,
  ownershipAttribute,
  clearNeedsExclusive,
  duplicateKeys,
  entriesReview,
} from "../collections/collection-attributes";
import { collectionResource } from "../collections/collection-resource";
import { entriesOf, placeOfOthers } from "../collections/contents";
import { canonicalJson, sha256, without } from "../collections/members";
import { bool, computed, list, object, required, string } from "../../core/schema/attribute";
import { memberOf } from "../../core/member-of";
import {
  UNKNOWN,
  isListValue,
  isNullValue,
  isWhollyKnown,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { collectionsOf, compliancePolicyAttributes, extraPolicyErrors } from "./compliance-policy";
import { BUILT_IN, policyCodec } from "./compliance-policy-codec";
import { collectionScopes, withCollectionScopes } from "./collection-scopes";
import { lintPolicySet } from "./policy-lint";
import { unknownChecks } from "./unknown-checks";
import { reviewed } from "../review-hints";

export const compliancePolicySetAttributes = {
  id: collectionId("container"),
  ownership: ownershipAttribute(
    ["prefix", "suffix"],
    "Ownership of the console's policies. `exclusive`: the set has all policies, in this order. `prefix`, `suffix`: the policies of the set are the first or the last ones, and unmanaged policies are kept.",
  ),
  on_destroy: onDestroyAttribute(),
  in_position: computed(
    bool(),
    "False if the policies were moved on the console, so that they are no longer the first, the last or all of its policies in this order. The next apply moves them back.",
    { ...reviewed({ kind: "follows" }) },
  ),
  content_sha256: computed(
    string(),
    "SHA-256 of the policies. The value is known at plan time, so that other resources can use it as a trigger.",
    { ...reviewed({ kind: "follows" }) },
  ),
  collection_scopes: collectionScopes,
  policies: required(
    list(object(compliancePolicyAttributes)),
    "The policies, in the order in which the console evaluates them.",
    {
      ...entriesReview("policies/compliance/container", ["policy", "policies"], ["name"], {
        ordered: true,
        others: placeOfOthers,
        inPosition: (object) => object.in_position !== false,
        collections: collectionsOf,
        scopes: ({ collection_scopes: scopes = null }) => scopes,
        initial: BUILT_IN,
      }),
    },
  ),
};

/** The container compliance policies are one ordered collection (specification, section 2.4). */
export const compliancePolicySet = withCollectionScopes(
  collectionResource({
    collection: "policies",
    type: "cwp_compliance_policy_set",
    category: "Policies",
    construct: "CompliancePolicySet",
    constructId: "policies",
    sample: {
      ownership: "prefix",
      policies: [
        { name: "Nginx", resources: { images: ["nginx:*"] }, checks: { 41: true, 57: false } },
      ],
    },
    description:
      "The console's container compliance policies, in order (specification, sections 2.4 and 4.2). The API replaces all policies in one request; `ownership` defines what happens to policies that are not in the set.",
    attributes: compliancePolicySetAttributes,
    id: "container",
    what: "compliance policies",
    list: "policies",
    ordered: true,
    codec: policyCodec,
    derive: (state, inPosition) => ({
      in_position: inPosition,
      content_sha256: contentDigest(state),
    }),
    validate: (config) => {
      const problems = [
        ...duplicateKeys(config, "policies", ["name"]),
        ...extraPolicyErrors(config),
        ...clearNeedsExclusive(config),
      ];
      return problems.length > 0 ? problems : lintPolicySet(config);
    },
    notes: { endpoints: ["getComplianceStats"], of: unknownChecks },
  }),
);

/** Attributes that earlier versions did not have: one that is not set must not change the digest. */
const ADDED = ["extra_json", "collections"];

function withoutUnset(policy: ObjectValue): object {
  const unset = ADDED.filter((name) => isNullValue(memberOf(policy, name) ?? null));
  return unset.length > 0 ? without(policy, ...unset) : policy;
}

function contentDigest({ policies }: ObjectValue): string | typeof UNKNOWN {
  if (policies === null) return digestOf([]);
  return isListValue(policies) ? digestOf(policies) : UNKNOWN;
}

const digestOf = onceForEach((policies: readonly Value[]) =>
  isWhollyKnown(policies)
    ? sha256(canonicalJson(entriesOf({ policies }, "policies").map(withoutUnset)))
    : UNKNOWN,
);
