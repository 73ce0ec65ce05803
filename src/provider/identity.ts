/** The source of the provider. It is part of every stack, so it never changes. */
export const PROVIDER_SOURCE = "cdktf-console/cwp";
/** The default registry of provider sources: Terraform's. */
export const REGISTRY = "registry.terraform.io";
/** The default registries of Terraform and OpenTofu, whose addresses name the same providers. */
export const REGISTRIES = [REGISTRY, "registry.opentofu.org"] as const;
/** The local name, and the prefix of the types. */
export const PROVIDER_NAME = "cwp";
/** The version of the package. Constructs require the same version of the provider. */
export const PROVIDER_VERSION = "0.2.0";
