import { decodePrivate, encodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const readResource = rpc({
  name: "ReadResource",
  request: message({
    typeName: field(1, string),
    currentState: optional(2, dynamicValue),
    private: field(3, bytes),
  }),
  response: message({
    newState: optional(1, dynamicValue),
    diagnostics: repeated(2, diagnostic),
    private: field(3, bytes),
  }),
  handle: async (session, { typeName, currentState, private: kept }, signal) => {
    const { attributes, type } = session.resource(typeName);
    const { connection } = session;
    const values = new DynamicValues();
    const state = values.decodeObject(type, currentState);
    if (state === null) return { newState: values.encode(type, null), private: kept };
    const reached = await session.provider.read(typeName, {
      state,
      private: decodePrivate(kept),
      connection,
      signal,
    });
    if (reached.state !== null) session.found.add(typeName, reached.state, reached.private);
    return {
      newState: values.encode(type, reached.state),
      private: encodePrivate(reached.private),
      diagnostics: encodeDiagnostics(attributes, reached.diagnostics),
    };
  },
});
