import { CREDENTIALS_BY_ID_SINCE } from "../../api/inline-credentials";
import {
  collectionId,
  onDestroyAttribute,
  ownershipAttribute,
} from "../collections/collection-attributes";
import { collectionResource } from "../collections/collection-resource";
import { entriesOf, onDestroyOf, placeOfOthers } from "../collections/contents";
import { clearNeedsExclusive, duplicateKeys } from "../collections/collection-checks";
import { error, type Diagnostic } from "../diagnostics";
import { list, object, required } from "../schema/attribute";
import { isObjectValue, type ObjectValue } from "../values";
import { inlineCredentials } from "./inline-credential";
import { registryCodec, registrySpecificationAttributes } from "./registry-specification";

export const registryScanAttributes = {
  id: collectionId("registry"),
  ownership: ownershipAttribute(
    ["shared"],
    "Ownership of the console's registry settings. `exclusive`: the resource has all specifications. `shared`: unmanaged specifications of other registries, repositories and tags are kept.",
  ),
  on_destroy: onDestroyAttribute(),
  specifications: required(
    list(object(registrySpecificationAttributes)),
    "The registries to scan. Registry, repository and tag together identify a specification; the order does not matter.",
    {
      review: {
        kind: "entries",
        noun: "specification",
        nouns: "specifications",
        key: ["registry", "repository", "tag"],
        ordered: false,
        others: placeOfOthers,
        staysAfterDestroy: (object) => onDestroyOf(object) === "keep",
      },
    },
  ),
};

/** The registry scan settings (specification, section 2.5). */
export const registryScan = collectionResource({
  collection: "registry",
  type: "cwp_registry_scan",
  category: "Registries",
  construct: "RegistryScan",
  constructId: "registries",
  sample: {
    specifications: [{ registry: "r", repository: "*", tag: "", cap: 5, credential_id: "c" }],
  },
  description:
    "The registries that the console scans (specification, sections 2.5 and 4.4). The API replaces all specifications in one request; `ownership` defines what happens to those that are not in the resource.",
  attributes: registryScanAttributes,
  id: "registry",
  what: "registry scan settings",
  list: "specifications",
  ordered: false,
  releaseChanges: [
    {
      in: CREDENTIALS_BY_ID_SINCE,
      section: "9.1.2",
      effect: "refuses",
      what: "Inline credentials",
      why: "registry settings no longer have credentials: store each credential on the console and set credential_id",
      usedAt: (config) => inlineCredentials(config, "specifications"),
    },
  ],
  codec: registryCodec,
  validate: (config) => [
    ...duplicateKeys(config, "specifications", ["registry", "repository", "tag"]),
    ...clearNeedsExclusive(config),
    ...twoCredentials(config),
  ],
});

function twoCredentials(config: ObjectValue): readonly Diagnostic[] {
  return entriesOf(config, "specifications").flatMap((entry, index) => {
    const { credential, credential_id: id } = entry;
    if (!isObjectValue(credential) || typeof id !== "string" || id === "") return [];
    return [
      error(
        "Two credentials",
        "A specification has an inline credential or a credential_id, not both. Remove one of them.",
        ["specifications", index, "credential"],
      ),
    ];
  });
}
