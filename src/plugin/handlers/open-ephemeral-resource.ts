import { encodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { encodeTimestamp } from "../values/timestamp";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue, timestamp } from "../wire/messages";

export const openEphemeralResource = rpc({
  name: "OpenEphemeralResource",
  request: message({ typeName: field(1, string), config: optional(2, dynamicValue) }),
  response: message({
    diagnostics: repeated(1, diagnostic),
    renewAt: optional(2, timestamp),
    result: optional(3, dynamicValue),
    private: optional(4, bytes),
  }),
  handle: async (session, { typeName, config: encoded }, signal) => {
    const { attributes, type } = session.ephemeralResource(typeName);
    const { connection } = session;
    const values = new DynamicValues();
    const config = values.decodeObject(type, encoded) ?? {};
    const opened = await session.provider.ephemeralResources.open(typeName, config, {
      connection,
      signal,
    });
    return {
      result: values.encode(type, opened.result),
      renewAt: encodeTimestamp(opened.renewAt),
      private: encodePrivate(opened.private),
      diagnostics: encodeDiagnostics(attributes, opened.diagnostics),
    };
  },
});
