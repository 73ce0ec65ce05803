import { decodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic } from "../wire/messages";

export const closeEphemeralResource = rpc({
  name: "CloseEphemeralResource",
  request: message({ typeName: field(1, string), private: optional(2, bytes) }),
  response: message({ diagnostics: repeated(1, diagnostic) }),
  handle: async (session, { typeName, private: kept }, signal) => {
    const { attributes } = session.ephemeralResource(typeName);
    const { connection } = session;
    const diagnostics = await session.provider.ephemeralResources.close(
      typeName,
      decodePrivate(kept),
      { connection, signal },
    );
    return { diagnostics: encodeDiagnostics(attributes, diagnostics) };
  },
});
