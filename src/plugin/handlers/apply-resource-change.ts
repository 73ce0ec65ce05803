import { decodePrivate, encodePrivate } from "../../provider/private-state";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
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
    const { typeName } = request;
    const { attributes, type } = session.resource(typeName);
    const { connection } = session;
    const values = new DynamicValues();
    const planned = values.decodeObject(type, request.plannedState);
    const config = values.decodeObject(type, request.config);
    const prior = values.decodeObject(type, request.priorState);
    const reached = await session.provider.apply(typeName, {
      prior,
      planned,
      config,
      private: decodePrivate(request.plannedPrivate),
      connection,
      signal,
      progress: session.progress,
    });
    return {
      newState: values.encode(type, reached.state),
      private: reached.state === null ? undefined : encodePrivate(reached.private),
      diagnostics: encodeDiagnostics(attributes, reached.diagnostics),
    };
  },
});
