import { decodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
import { bytes, field, message, optional, string } from "../wire/message";
import { diagnosticsOnly } from "../wire/messages";

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
