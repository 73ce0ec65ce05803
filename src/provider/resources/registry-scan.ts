import type { RegistrySpecification } from "../../api/bodies";
import { readCollection, registrySpecifications } from "../../api/collection";
import type { Release } from "../../api/release";
import { collectionId, onDestroyAttribute, ownershipAttribute } from "../collections/attributes";
import { collectionResource } from "../collections/collection-resource";
import { entriesOf, placeOfOthers } from "../collections/contents";
import { clearNeedsExclusive, duplicateKeys } from "../collections/validate";
import { error, type Diagnostic } from "../diagnostics";
import { list, object, required } from "../schema/attribute";
import { isObjectValue, type ObjectValue } from "../values";
import { registryCodec, registrySpecificationAttributes } from "./registry-specification";

export const registryScanAttributes = {
  id: collectionId("registry"),
  ownership: ownershipAttribute(
    ["shared"],
    "Whose the console's registry settings are. `exclusive`: all are in this resource. `shared`: those of other registries, repositories and tags stay as they are.",
  ),
  on_destroy: onDestroyAttribute(),
  specifications: required(
    list(object(registrySpecificationAttributes)),
    "What is scanned. Registry, repository and tag together name a specification; their order means nothing to the console.",
    {
      review: {
        kind: "entries",
        noun: "specification",
        nouns: "specifications",
        key: ["registry", "repository", "tag"],
        ordered: false,
        others: placeOfOthers,
      },
    },
  ),
};

/** The registry scan settings (specification, section 2.5). */
export const registryScan = collectionResource<RegistrySpecification>({
  type: "console_registry_scan",
  description:
    "The console's registry scan settings, read and replaced as a whole (specification, sections 2.5 and 4.4).",
  attributes: registryScanAttributes,
  id: "registry",
  what: "registry scan settings",
  list: "specifications",
  ordered: false,
  codec: registryCodec,
  get: (client, signal) => client.getRegistrySettings(signal),
  put: (client, collection, signal) => client.putRegistrySettings(collection, signal),
  itemsOf: (kept) => readCollection(registrySpecifications, kept).items,
  validate: (config, release) => [
    ...duplicateKeys(config, "specifications", ["registry", "repository", "tag"]),
    ...clearNeedsExclusive(config),
    ...inlineCredentials(config, release),
  ],
});

function inlineCredentials(config: ObjectValue, release: Release | undefined): Diagnostic[] {
  return entriesOf(config, "specifications").flatMap((entry, index) => {
    if (!isObjectValue(entry.credential)) return [];
    const path = ["specifications", index, "credential"];
    const both = typeof entry.credential_id === "string" && entry.credential_id !== "";
    return [
      ...(both
        ? [
            error(
              "Two credentials",
              "A specification takes an inline credential or a credential_id, not both.",
              path,
            ),
          ]
        : []),
      ...(release !== undefined && release !== "20.04"
        ? [
            error(
              "Inline credential",
              `Release ${release} refuses credentials in registry settings (specification, section 9.1): store the credential on the console and name it with credential_id. Only release 20.04 takes it inline; the provider's "release" says which one the console runs.`,
              path,
            ),
          ]
        : []),
    ];
  });
}
