import { decodePrivate, encodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const applyResourceChange = rpc({
  name: "ApplyResourceChange",
  request: message({
    typeName: field(1, string),
    priorState: optional(2, dynamicValue),
    plannedState: optional(3, dynamicValue),
    config: optional(4, dynamicValue),
    plannedPrivate: field(5, bytes),
  }),
  response: message({
    newState: optional(1, dynamicValue),
    private: field(2, bytes),
    diagnostics: repeated(3, diagnostic),
  }),
  handle: async (session, request, signal) => {
    const codec = session.resource(request.typeName);
    const planned = codec.decode(request.plannedState);
    const config = codec.decode(request.config);
    const prior = codec.decode(request.priorState);
    const privateState = decodePrivate(request.plannedPrivate);
    const reached = await session.provider.apply(request.typeName, {
      ...session.call(signal),
      prior,
      planned,
      config,
      private: privateState,
    });
    return {
      newState: codec.encode(reached.state),
      private: reached.state === null ? undefined : encodePrivate(reached.private),
      diagnostics: codec.diagnostics(reached.diagnostics),
    };
  },
});
