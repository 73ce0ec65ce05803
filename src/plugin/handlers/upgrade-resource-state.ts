import { rpc } from "../rpc";
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
    const codec = session.resource(typeName);
    const { state, diagnostics } = session.provider.upgradeState(typeName, {
      schemaVersion: version,
      attributes: codec.decodeStored(stored?.json),
    });
    return {
      upgradedState: state === null ? undefined : codec.encode(state),
      diagnostics: codec.diagnostics(diagnostics),
    };
  },
});
