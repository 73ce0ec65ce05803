import { error, hasErrors } from "../../provider/diagnostics";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { readStored } from "../values/stored-object";
import { bytes, field, int64, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue, rawState } from "../wire/messages";

/**
 * The same provider may come from another registry, or a fork of it from another namespace: then
 * an object keeps its type. No type of this provider stands for another one's.
 */
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
    const { sourceTypeName, targetTypeName, sourceProviderAddress } = request;
    const { attributes, type } = session.resource(targetTypeName);
    const isSame =
      sourceTypeName === targetTypeName &&
      sourceProviderAddress.endsWith(`/${session.provider.definition.name}`);
    if (!isSame) {
      const refusal = error(
        "Object cannot be moved",
        `A ${sourceTypeName} of ${sourceProviderAddress} is no ${targetTypeName}. Remove it from the state and import it, where the type can be imported.`,
      );
      return { diagnostics: encodeDiagnostics(attributes, [refusal]) };
    }
    const values = new DynamicValues();
    const { state, diagnostics } = session.provider.upgradeState(targetTypeName, {
      schemaVersion: request.sourceSchemaVersion,
      attributes: readStored(values, request.sourceState?.json),
    });
    return {
      targetState: hasErrors(diagnostics) ? undefined : values.encode(type, state),
      targetPrivate: request.sourcePrivate,
      diagnostics: encodeDiagnostics(attributes, diagnostics),
    };
  },
});
