import { encodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
import { bytes, message, optional, repeated } from "../wire/message";
import {
  configuredBlock,
  diagnostic,
  dynamicValue,
  encodeTimestamp,
  timestamp,
} from "../wire/messages";

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
