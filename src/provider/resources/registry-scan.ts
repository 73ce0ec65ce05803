import { memberOf } from "../../core/member-of";
import { changedIn } from "../../api/endpoint";
import {
  collectionId,
  onDestroyAttribute,
  ownershipAttribute,
  clearNeedsExclusive,
  entriesReview,
  repetitions,
} from "../collections/collection-attributes";
import { collectionResource } from "../collections/collection-resource";
import { entriesOf, placeOfOthers } from "../collections/contents";
import { error, type Diagnostic } from "../../core/diagnostics";
import { list, object, required } from "../../core/schema/attribute";
import { isObjectValue, isWhollyKnown, type ObjectValue } from "../../core/values";
import { inlineCredentials, keepFingerprints } from "./inline-credential";
import { printed } from "../../core/printed";
import { extraJsonErrors } from "./extra-json";
import {
  KEY,
  keyOfEntry,
  SPECIFICATION_MEMBERS,
  registryCodec,
  registrySpecificationAttributes,
} from "./registry-specification";

/** The attributes that together identify a specification. */
const NAMING = [...KEY];

export const registryScanAttributes = {
  id: collectionId("registry"),
  ownership: ownershipAttribute(
    ["shared"],
    "Ownership of the console's registry settings. `exclusive`: the resource has all specifications. `shared`: unmanaged specifications are kept.",
  ),
  on_destroy: onDestroyAttribute(),
  specifications: required(
    list(object(registrySpecificationAttributes)),
    "The registries to scan. Registry, repository, tag, operating system and credential together identify a specification. Another order is a change of the list, without an effect on the console.",
    {
      ...entriesReview("settings/registry", ["specification", "specifications"], NAMING, {
        others: placeOfOthers,
        covers: NAMING,
      }),
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
      ...changedIn(
        "9.1.2",
        "registry settings no longer have credentials: store each credential on the console and set credential_id",
      ),
      effect: "refuses",
      what: "Inline credentials",
      usedAt: (config) => inlineCredentials(config, "specifications"),
    },
  ],
  codec: registryCodec,
  keepPrior: (planned, prior) => keepFingerprints(planned, prior, "specifications", keyOfEntry),
  validate: (config) => [
    ...sameSpecifications(config),
    ...clearNeedsExclusive(config),
    ...twoCredentials(config),
    ...extraJsonErrors(config, "specifications", SPECIFICATION_MEMBERS),
  ],
});

/** Reports specifications that differ in nothing that identifies them. */
function sameSpecifications(config: ObjectValue): readonly Diagnostic[] {
  const naming = [...NAMING, "os", "credential_id", "credential"];
  const repeated = repetitions(config, "specifications", (entry) =>
    naming.every((name) => isWhollyKnown(memberOf(entry, name) ?? null))
      ? keyOfEntry(entry)
      : undefined,
  );
  return repeated.map(({ key, first, index }) =>
    error(
      "Duplicate registry, repository, tag, os and credential",
      printed`Entries ${first + 1} and ${index + 1} of specifications are both ${JSON.stringify(key)}. Entries of one registry, repository and tag need another os or credential.`,
      ["specifications", index],
    ),
  );
}

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
