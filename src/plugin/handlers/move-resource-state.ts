import { rpc } from "../rpc";
import { bytes, field, int64, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue, rawState } from "../wire/messages";

export const moveResourceState = rpc({
  name: "MoveResourceState",
  request: message({
    sourceProviderAddress: field(1, string),
    sourceTypeName: field(2, string),
    sourceSchemaVersion: field(3, int64),
    sourceState: optional(4, rawState),
    targetTypeName: field(5, string),
    sourcePrivate: field(6, bytes),
  }),
  response: message({
    targetState: optional(1, dynamicValue),
    diagnostics: repeated(2, diagnostic),
    targetPrivate: field(3, bytes),
  }),
  handle: (session, request) => {
    const codec = session.resource(request.targetTypeName);
    const source = { provider: request.sourceProviderAddress, type: request.sourceTypeName };
    const { state, diagnostics } = session.provider.moveState(source, request.targetTypeName, {
      schemaVersion: request.sourceSchemaVersion,
      attributes: codec.decodeStored(request.sourceState?.json),
    });
    return {
      targetState: state === null ? undefined : codec.encode(state),
      targetPrivate: state === null ? undefined : request.sourcePrivate,
      diagnostics: codec.diagnostics(diagnostics),
    };
  },
});
