import {
  collectionId,
  onDestroyAttribute,
  ownershipAttribute,
} from "../collections/collection-attributes";
import { collectionResource } from "../collections/collection-resource";
import { onDestroyOf, placeOfOthers } from "../collections/contents";
import { canonicalJson, sha256 } from "../collections/digest";
import { clearNeedsExclusive, duplicateKeys } from "../collections/collection-checks";
import { bool, computed, list, object, required, string } from "../schema/attribute";
import { UNKNOWN, isWhollyKnown, type ObjectValue } from "../values";
import { compliancePolicyAttributes, policyCodec } from "./compliance-policy";

export const compliancePolicySetAttributes = {
  id: collectionId("container"),
  ownership: ownershipAttribute(
    ["prefix", "suffix"],
    "Whose the console's policies are. `exclusive`: all are in this set, in this order. `prefix`, `suffix`: these come first, or last; all others stay as they are.",
  ),
  on_destroy: onDestroyAttribute(),
  in_position: computed(
    bool(),
    "False when somebody moved the policies: they are not the head, the tail or the whole of the console's list in this order. A plan then puts them back.",
  ),
  content_sha256: computed(
    string(),
    "SHA-256 of the policies, known when planned: a trigger for what depends on their content.",
  ),
  policies: required(
    list(object(compliancePolicyAttributes)),
    "The policies, in the order in which the console applies them.",
    {
      review: {
        kind: "entries",
        noun: "policy",
        nouns: "policies",
        key: ["name"],
        ordered: true,
        others: placeOfOthers,
        staysAfterDestroy: (object) => onDestroyOf(object) === "keep",
        inPosition: (object) => object.in_position !== false,
      },
    },
  ),
};

/** All container compliance policies are one ordered collection (specification, section 2.4). */
export const compliancePolicySet = collectionResource({
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
    "The console's container compliance policies: an ordered collection that is read and replaced as a whole (specification, sections 2.4 and 4.2).",
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
  validate: (config) => [
    ...duplicateKeys(config, "policies", ["name"]),
    ...clearNeedsExclusive(config),
  ],
});

function contentDigest({ policies }: ObjectValue): string | typeof UNKNOWN {
  if (policies === undefined || !isWhollyKnown(policies)) return UNKNOWN;
  return sha256(canonicalJson(policies));
}
