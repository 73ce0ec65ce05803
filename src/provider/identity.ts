/** The source of the provider. It is part of every stack, so it never changes. */
export const PROVIDER_SOURCE = "cdktf-console/cwp";
/** The local name, and the prefix of the types. */
export const PROVIDER_NAME = "cwp";
/** The version of the package. Constructs require the same version of the provider. */
export const PROVIDER_VERSION = "0.2.0";
