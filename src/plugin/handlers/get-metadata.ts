import { rpc } from "../rpc";
import { field, message, optional, repeated, string } from "../wire/message";
import { empty, serverCapabilities } from "../wire/messages";

/** One schema serves all instances, and the provider plans destroys. */
export const CAPABILITIES = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: true,
} as const;

const named = message({ typeName: field(1, string) });

export const getMetadata = rpc({
  name: "GetMetadata",
  request: empty,
  response: message({
    serverCapabilities: optional(1, serverCapabilities),
    dataSources: repeated(3, named),
    resources: repeated(4, named),
    functions: repeated(5, message({ name: field(1, string) })),
    ephemeralResources: repeated(6, named),
    actions: repeated(9, named),
  }),
  handle: ({ provider: { definition } }) => ({
    serverCapabilities: CAPABILITIES,
    dataSources: typeNames(definition.dataSources),
    resources: typeNames(definition.resources),
    functions: definition.functions.map(({ name }) => ({ name })),
    ephemeralResources: typeNames(definition.ephemeralResources),
    actions: typeNames(definition.actions),
  }),
});

function typeNames(definitions: readonly { readonly type: string }[]) {
  return definitions.map(({ type }) => ({ typeName: type }));
}
