import { decodePrivate, encodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, encodeTimestamp, timestamp } from "../wire/messages";

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
