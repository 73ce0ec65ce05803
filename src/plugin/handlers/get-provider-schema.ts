import { mapMembers } from "../../core/member-of";
import { rpc } from "../rpc";
import { encodeSchema, encodeSchemas, encodeSignatures } from "../values/schema";
import { map, message, optional } from "../wire/message";
import { empty, functionSignature, schema, serverCapabilities } from "../wire/messages";
import { CAPABILITIES } from "./get-metadata";

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
    actionSchemas: map(11, message({ schema: optional(1, schema) })),
  }),
  handle: ({ provider: { definition } }) => ({
    provider: encodeSchema({ ...definition, attributes: definition.configuration }),
    resourceSchemas: encodeSchemas(definition.resources),
    dataSourceSchemas: encodeSchemas(definition.dataSources),
    ephemeralResourceSchemas: encodeSchemas(definition.ephemeralResources),
    actionSchemas: mapMembers(encodeSchemas(definition.actions), (schema) => ({ schema })),
    functions: encodeSignatures(definition.functions),
    serverCapabilities: CAPABILITIES,
  }),
});
