import { hasErrors } from "../../provider/diagnostics";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { readStored } from "../values/stored-object";
import { field, int64, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue, rawState } from "../wire/messages";

export const upgradeResourceState = rpc({
  name: "UpgradeResourceState",
  request: message({
    typeName: field(1, string),
    version: field(2, int64),
    rawState: optional(3, rawState),
  }),
  response: message({
    upgradedState: optional(1, dynamicValue),
    diagnostics: repeated(2, diagnostic),
  }),
  handle: (session, { typeName, version, rawState: stored }) => {
    const { attributes, type } = session.resource(typeName);
    const values = new DynamicValues();
    const { state, diagnostics } = session.provider.upgradeState(typeName, {
      schemaVersion: version,
      attributes: readStored(values, stored?.json),
    });
    return {
      upgradedState: hasErrors(diagnostics) ? undefined : values.encode(type, state),
      diagnostics: encodeDiagnostics(attributes, diagnostics),
    };
  },
});
