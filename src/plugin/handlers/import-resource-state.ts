import { encodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

const importedResource = message({
  typeName: field(1, string),
  state: optional(2, dynamicValue),
  private: field(3, bytes),
});

export const importResourceState = rpc({
  name: "ImportResourceState",
  request: message({ typeName: field(1, string), id: field(2, string) }),
  response: message({
    importedResources: repeated(1, importedResource),
    diagnostics: repeated(2, diagnostic),
  }),
  handle: async (session, { typeName, id }, signal) => {
    const codec = session.resource(typeName);
    const reached = await session.provider.import(typeName, id, session.call(signal));
    const imported = {
      typeName,
      state: codec.encode(reached.state),
      private: encodePrivate(reached.private),
    };
    return {
      importedResources: reached.state === null ? [] : [imported],
      diagnostics: codec.diagnostics(reached.diagnostics),
    };
  },
});
