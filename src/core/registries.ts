/** The default registry of provider sources: Terraform's. */
export const REGISTRY = "registry.terraform.io";
/** The default registries of Terraform and OpenTofu, whose addresses name the same providers. */
export const REGISTRIES = [REGISTRY, "registry.opentofu.org"] as const;
