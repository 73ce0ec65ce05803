import { rpc } from "../rpc";
import { configuredBlock, diagnosticsOnly } from "../wire/messages";

export const validateActionConfig = rpc({
  name: "ValidateActionConfig",
  request: configuredBlock,
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded }) => {
    const codec = session.action(typeName);
    const diagnostics = session.provider.actions.validate(typeName, codec.decodeConfig(encoded));
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});
