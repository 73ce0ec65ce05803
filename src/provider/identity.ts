/** How Terraform and the constructs name the provider: part of every stack, so it never changes. */
export const PROVIDER_SOURCE = "cdktf-console/cwp";
/** The registry whose names Terraform gives to providers that say no other. */
export const REGISTRY = "registry.terraform.io";
/** The local name, and the prefix of the types. */
export const PROVIDER_NAME = "cwp";
/** The package's version; constructs ask for the provider of the same one. */
export const PROVIDER_VERSION = "0.1.0";
