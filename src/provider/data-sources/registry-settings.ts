import { credentialIDOf, type RegistrySpecification } from "../../api/bodies";
import { dataSource } from "../listing";
import { isBlank } from "../../api/inline-credentials";
import { bool, computed, list, number, object, string } from "../../core/schema/attribute";
import type { ValueOf } from "../../core/schema/types";
import { numberOf } from "./attributes";

const specification = object({
  registry: computed(string(), "Registry address; empty for Docker Hub."),
  repository: computed(string(), "Repository pattern."),
  tag: computed(string(), "Tag pattern."),
  cap: computed(number(), "Number of latest images to scan."),
  os: computed(string(), "Operating system of the images."),
  hostname: computed(string(), "Host name of the defender that scans."),
  namespace: computed(string(), "Namespace of the registry."),
  use_aws_role: computed(bool(), "True if the IAM role of the scanning host is used."),
  version: computed(string(), "Registry type, in the console's spelling."),
  credential_id: computed(string(), "ID of the stored credential used for scanning."),
  role_arn: computed(string(), "AWS role to assume."),
  scanners: computed(number(), "Number of defenders that scan."),
  version_pattern: computed(string(), "Pattern that sorts tags by version."),
  has_inline_credential: computed(
    bool(),
    "True if the specification has an inline credential, which 20.09 and later refuse (section 9.1). The credential is never stored in a state.",
  ),
});

const attributes = {
  specifications: computed(list(specification), "Specifications, in the console's order."),
};

/** Reads the settings of section 2.5, without inline credentials. */
export const registrySettings = dataSource({
  type: "cwp_registry_settings",
  category: "Registries",
  description: "The console's registry scan settings (specification, section 2.5).",
  attributes,
  endpoints: ["getRegistrySettings"],
  async read(_config, { connection: { client }, signal }) {
    const { items } = await client.read("registry", signal);
    return { state: { specifications: items.map(specificationOf) } };
  },
});

function specificationOf(item: RegistrySpecification): ValueOf<typeof specification> {
  return {
    registry: item.registry ?? "",
    repository: item.repository ?? "",
    tag: item.tag ?? "",
    cap: numberOf(item.cap),
    os: item.os ?? null,
    hostname: item.hostname ?? null,
    namespace: item.namespace ?? null,
    use_aws_role: item.useAWSRole ?? null,
    version: item.version ?? null,
    credential_id: credentialIDOf(item) ?? null,
    role_arn: item.roleArn ?? null,
    scanners: numberOf(item.scanners),
    version_pattern: item.versionPattern ?? null,
    has_inline_credential: !isBlank(item.credential),
  };
}
