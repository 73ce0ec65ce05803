/** The constructs: what a stack in TypeScript is made of. Loads nothing that talks to a console. */
export { CompliancePolicySet } from "./constructs/compliance-policy-set";
export { ConsoleBootstrap } from "./constructs/console-bootstrap";
export { ConsoleProvider } from "./constructs/console-provider";
export { ConsoleResource, type ConsoleResourceProps } from "./constructs/console-resource";
export { License } from "./constructs/license";
export { RegistryScan } from "./constructs/registry-scan";
export { Secret } from "./constructs/secret";
export { ServerlessAutoDeploy } from "./constructs/serverless-auto-deploy";
export { ServerlessScan } from "./constructs/serverless-scan";
export type { OneOf, OrToken } from "./constructs/tokens";

export type * from "./constructs/props/compliance-policy-set";
export type * from "./constructs/props/console-bootstrap";
export type * from "./constructs/props/console-provider";
export type * from "./constructs/props/license";
export type * from "./constructs/props/registry-scan";
export type * from "./constructs/props/serverless-auto-deploy";
export type * from "./constructs/props/serverless-scan";
