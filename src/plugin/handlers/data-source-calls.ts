import { decodePrivate, encodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import {
  configuredBlock,
  diagnostic,
  diagnosticsOnly,
  dynamicValue,
  encodeTimestamp,
  timestamp,
} from "../wire/messages";

/**
 * Terraform calls this twice: for the written configuration, and again before the read, when the
 * provider is configured. (For resources, the plan reports findings that need the connection.)
 */
export const validateDataResourceConfig = rpc({
  name: "ValidateDataResourceConfig",
  request: configuredBlock,
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded }) => {
    const codec = session.dataSource(typeName);
    const config = codec.decodeConfig(encoded);
    const { provider, connectionSoFar } = session;
    const diagnostics = provider.validateDataSource(typeName, config, connectionSoFar);
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});

export const readDataSource = rpc({
  name: "ReadDataSource",
  request: configuredBlock,
  response: message({ state: optional(1, dynamicValue), diagnostics: repeated(2, diagnostic) }),
  handle: async (session, { typeName, config }, signal) => {
    const codec = session.dataSource(typeName);
    const call = session.call(signal);
    const read = await session.provider.readDataSource(typeName, codec.decodeConfig(config), call);
    return { state: codec.encode(read.state), diagnostics: codec.diagnostics(read.diagnostics) };
  },
});

export const validateEphemeralResourceConfig = rpc({
  name: "ValidateEphemeralResourceConfig",
  request: configuredBlock,
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded }) => {
    const codec = session.ephemeralResource(typeName);
    const config = codec.decodeConfig(encoded);
    const diagnostics = session.provider.ephemeralResources.validate(typeName, config);
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});

export const openEphemeralResource = rpc({
  name: "OpenEphemeralResource",
  request: configuredBlock,
  response: message({
    diagnostics: repeated(1, diagnostic),
    renewAt: optional(2, timestamp),
    result: optional(3, dynamicValue),
    private: optional(4, bytes),
  }),
  handle: async (session, { typeName, config }, signal) => {
    const codec = session.ephemeralResource(typeName);
    const { ephemeralResources } = session.provider;
    const call = session.call(signal);
    const opened = await ephemeralResources.open(typeName, codec.decodeConfig(config), call);
    return {
      result: codec.encode(opened.result),
      renewAt: encodeTimestamp(opened.renewAt),
      private: encodePrivate(opened.private),
      diagnostics: codec.diagnostics(opened.diagnostics),
    };
  },
});

export const renewEphemeralResource = rpc({
  name: "RenewEphemeralResource",
  request: message({ typeName: field(1, string), private: optional(2, bytes) }),
  response: message({
    diagnostics: repeated(1, diagnostic),
    renewAt: optional(2, timestamp),
    private: optional(3, bytes),
  }),
  handle: async (session, { typeName, private: kept }, signal) => {
    const codec = session.ephemeralResource(typeName);
    const { ephemeralResources } = session.provider;
    const call = session.call(signal);
    const renewed = await ephemeralResources.renew(typeName, decodePrivate(kept), call);
    return {
      renewAt: encodeTimestamp(renewed.renewAt),
      private: encodePrivate(renewed.private),
      diagnostics: codec.diagnostics(renewed.diagnostics),
    };
  },
});

export const closeEphemeralResource = rpc({
  name: "CloseEphemeralResource",
  request: message({ typeName: field(1, string), private: optional(2, bytes) }),
  response: diagnosticsOnly,
  handle: async (session, { typeName, private: kept }, signal) => {
    const codec = session.ephemeralResource(typeName);
    const { ephemeralResources } = session.provider;
    const call = session.call(signal);
    const diagnostics = await ephemeralResources.close(typeName, decodePrivate(kept), call);
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});
