import type { Attributes } from "../../provider/schema/attribute";
import { rpc } from "../rpc";
import { encodeSchema, encodeSignature } from "../schema";
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
  }),
  handle: ({ provider: { definition } }) => ({
    provider: encodeSchema(definition.configuration, 0, definition.description),
    resourceSchemas: byType(definition.resources),
    dataSourceSchemas: byType(definition.dataSources),
    ephemeralResourceSchemas: byType(definition.ephemeralResources ?? []),
    functions: Object.fromEntries(
      (definition.functions ?? []).map((one) => [one.name, encodeSignature(one)]),
    ),
    serverCapabilities: CAPABILITIES,
  }),
});

interface Described {
  readonly type: string;
  readonly description: string;
  readonly version?: number;
  readonly attributes: Attributes;
}

function byType(definitions: readonly Described[]) {
  return Object.fromEntries(
    definitions.map(({ type, attributes, version, description }) => [
      type,
      encodeSchema(attributes, version, description),
    ]),
  );
}
