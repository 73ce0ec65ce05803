import { cwpProvider } from "../../provider/cwp-provider";
import type { Resource } from "../../provider/definitions/resource-definition";
import { nullProvider } from "../../provider/null-provider";
import type { SchemaLookup } from "../../runtime/documents/plan-document";

type Schemas = readonly Pick<Resource<never>, "type" | "attributes">[];

const RESOURCES: Schemas = [...cwpProvider.resources, ...nullProvider.resources];
const DATA_SOURCES: Schemas = [...cwpProvider.dataSources, ...nullProvider.dataSources];

/** Looks up the schema of a state's resource in the built-in providers. */
export const builtInSchema: SchemaLookup = ({ mode, type }) =>
  (mode === "managed" ? RESOURCES : DATA_SOURCES).find((known) => known.type === type)?.attributes;
