import { consoleProvider } from "../../provider/cwp-provider";
import type { Resource } from "../../provider/definitions/resource-definition";
import { nullProvider } from "../../provider/null-provider";
import type { SchemaLookup } from "../../runtime/documents/plan-document";

type Schemas = readonly Pick<Resource<never>, "type" | "attributes">[];

const RESOURCES: Schemas = [...consoleProvider.resources, ...nullProvider.resources];
const DATA_SOURCES: Schemas = [...consoleProvider.dataSources, ...nullProvider.dataSources];

/** The schema of what stands in a state, for the providers that are built in. */
export const builtInSchema: SchemaLookup = ({ mode, type }) =>
  (mode === "managed" ? RESOURCES : DATA_SOURCES).find((known) => known.type === type)?.attributes;
