import { decodePrivate, encodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
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
    const codec = session.resource(typeName);
    const stored = { state: codec.decode(currentState), private: decodePrivate(kept) };
    const reached = await session.read(typeName, stored, signal);
    return {
      newState: codec.encode(reached.state),
      private: encodePrivate(reached.private),
      diagnostics: codec.diagnostics(reached.diagnostics),
    };
  },
});
