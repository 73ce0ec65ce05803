/** The constructs of a stack in TypeScript. Importing them loads no client of the console's API. */
export * from "./constructs/generated";
export type { ComputedList } from "./constructs/computed";
export { ConsoleDataSource, type ConsoleDataSourceProps } from "./constructs/console-data-source";
export { ConsoleResource, type ConsoleResourceProps } from "./constructs/console-resource";
export { Labels } from "./constructs/labels";
export { Secret } from "./constructs/secret";
export type { OneOf, OrToken } from "./constructs/tokens";
export {
  ConsoleTenant,
  type ConsoleTenantProps,
  type TenantOverrides,
  type TenantSettings,
} from "./constructs/tenants/console-tenant";
export { type Tenant } from "./constructs/tenants/tenant";
export { TenantFileError } from "./constructs/tenants/tenant-file";
export { type BuildTenant, TenantFleet, type TenantStack } from "./constructs/tenants/tenant-fleet";
