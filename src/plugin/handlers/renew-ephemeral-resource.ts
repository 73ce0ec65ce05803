import { decodePrivate, encodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { encodeTimestamp } from "../values/timestamp";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, timestamp } from "../wire/messages";

export const renewEphemeralResource = rpc({
  name: "RenewEphemeralResource",
  request: message({ typeName: field(1, string), private: optional(2, bytes) }),
  response: message({
    diagnostics: repeated(1, diagnostic),
    renewAt: optional(2, timestamp),
    private: optional(3, bytes),
  }),
  handle: async (session, { typeName, private: kept }, signal) => {
    const { attributes } = session.ephemeralResource(typeName);
    const { connection } = session;
    const renewed = await session.provider.ephemeralResources.renew(typeName, decodePrivate(kept), {
      connection,
      signal,
    });
    return {
      renewAt: encodeTimestamp(renewed.renewAt),
      private: encodePrivate(renewed.private),
      diagnostics: encodeDiagnostics(attributes, renewed.diagnostics),
    };
  },
});
