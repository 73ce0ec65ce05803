import { encodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const importResourceState = rpc({
  name: "ImportResourceState",
  request: message({ typeName: field(1, string), id: field(2, string) }),
  response: message({
    importedResources: repeated(
      1,
      message({
        typeName: field(1, string),
        state: optional(2, dynamicValue),
        private: field(3, bytes),
      }),
    ),
    diagnostics: repeated(2, diagnostic),
  }),
  handle: async (session, { typeName, id }, signal) => {
    const { attributes, type } = session.resource(typeName);
    const { connection } = session;
    const {
      state,
      private: kept,
      diagnostics,
    } = await session.provider.import(typeName, id, {
      connection,
      signal,
    });
    const values = new DynamicValues();
    return {
      importedResources:
        state === null
          ? []
          : [{ typeName, state: values.encode(type, state), private: encodePrivate(kept) }],
      diagnostics: encodeDiagnostics(attributes, diagnostics),
    };
  },
});
