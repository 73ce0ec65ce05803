import { cwpProvider } from "../../provider/cwp-provider";
import type { Resource } from "../../core/definitions/resource-definition";
import { nullProvider } from "../../core/providers/null-provider";
import { terraformProvider } from "../../core/providers/terraform-provider";
import type { PlanProviders } from "../../formats/json/read-plan";
import { consoleAddress } from "../../provider/console/address";
import type { ResourceChange } from "../../core/documents/stack-plan";

type Schemas = readonly Pick<Resource<never>, "type" | "attributes">[];

const RESOURCES: Schemas = [
  ...cwpProvider.resources,
  ...nullProvider.resources,
  ...terraformProvider.resources,
];
const DATA_SOURCES: Schemas = [...cwpProvider.dataSources, ...nullProvider.dataSources];

/** Looks up the schema of a resource or data source in the built-in providers. */
export const builtInSchema = ({ mode, type }: Pick<ResourceChange, "mode" | "type">) =>
  (mode === "managed" ? RESOURCES : DATA_SOURCES).find((known) => known.type === type)?.attributes;

/** The built-in providers, for plans that Terraform made with them. */
export const PLAN_PROVIDERS: PlanProviders = {
  schemaOf: builtInSchema,
  endpoint: {
    source: cwpProvider.source,
    arguments: ["base_url", "project"],
    endpointOf: ([url, project]) => consoleAddress(url, project),
  },
};
