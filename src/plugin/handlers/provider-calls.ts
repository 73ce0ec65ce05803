import { parseType } from "../../provider/schema/terraform";
import { isWhollyKnown } from "../../provider/values";
import { RefusedCallError } from "../call-errors";
import { rpc } from "../rpc";
import { DynamicValues } from "../values/dynamic-value";
import { encodeSchema, encodeSchemas, encodeSignatures } from "../values/schema";
import { field, map, message, optional, repeated, string } from "../wire/message";
import {
  diagnostic,
  diagnosticsOnly,
  dynamicValue,
  empty,
  functionError,
  functionSignature,
  schema,
  serverCapabilities,
} from "../wire/messages";

/** One schema serves all instances, and the provider plans destroys. */
const CAPABILITIES = {
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
  }),
  handle: ({ provider: { definition } }) => ({
    serverCapabilities: CAPABILITIES,
    dataSources: typeNames(definition.dataSources),
    resources: typeNames(definition.resources),
    functions: definition.functions.map(({ name }) => ({ name })),
    ephemeralResources: typeNames(definition.ephemeralResources),
  }),
});

function typeNames(definitions: readonly { readonly type: string }[]) {
  return definitions.map(({ type }) => ({ typeName: type }));
}

export const getProviderSchema = rpc({
  name: "GetProviderSchema",
  request: empty,
  response: message({
    provider: optional(1, schema),
    resourceSchemas: map(2, schema),
    dataSourceSchemas: map(3, schema),
    serverCapabilities: optional(6, serverCapabilities),
    functions: map(7, functionSignature),
    ephemeralResourceSchemas: map(8, schema),
  }),
  handle: ({ provider: { definition } }) => ({
    provider: encodeSchema({ ...definition, attributes: definition.configuration }),
    resourceSchemas: encodeSchemas(definition.resources),
    dataSourceSchemas: encodeSchemas(definition.dataSources),
    ephemeralResourceSchemas: encodeSchemas(definition.ephemeralResources),
    functions: encodeSignatures(definition.functions),
    serverCapabilities: CAPABILITIES,
  }),
});

export const validateProviderConfig = rpc({
  name: "ValidateProviderConfig",
  request: message({ config: optional(1, dynamicValue) }),
  response: message({ diagnostics: repeated(2, diagnostic) }),
  handle: (session, { config }) => {
    const codec = session.configuration();
    const diagnostics = session.provider.validateConfiguration(codec.decodeConfig(config));
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});

export const configureProvider = rpc({
  name: "ConfigureProvider",
  request: message({ config: optional(2, dynamicValue) }),
  response: diagnosticsOnly,
  handle: async (session, { config }) => {
    const codec = session.configuration();
    const diagnostics = await session.configure(codec.decodeConfig(config));
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});

export const getFunctions = rpc({
  name: "GetFunctions",
  request: empty,
  response: message({ functions: map(1, functionSignature) }),
  handle: ({ provider: { definition } }) => ({
    functions: encodeSignatures(definition.functions),
  }),
});

export const callFunction = rpc({
  name: "CallFunction",
  request: message({ name: field(1, string), arguments: repeated(2, dynamicValue) }),
  response: message({ result: optional(1, dynamicValue), error: optional(2, functionError) }),
  handle: (session, { name, arguments: encoded }) => {
    const { parameters, returns } = session.function(name);
    const values = new DynamicValues();
    const args = parameters.map(({ type }, index) =>
      values.decode(parseType(type), encoded[index]),
    );
    if (!args.every(isWhollyKnown)) {
      throw new RefusedCallError(`An argument of ${name} is unknown.`);
    }
    const answer = session.provider.functions.call(name, args);
    return "error" in answer
      ? { error: { text: answer.error.text, functionArgument: answer.error.argument } }
      : { result: values.encode(parseType(returns), answer.value) };
  },
});

export const stopProvider = rpc({
  name: "StopProvider",
  request: empty,
  response: message({ error: field(1, string) }),
  handle: (session) => {
    session.stop();
    return {};
  },
});
