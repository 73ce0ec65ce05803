import { hasErrors } from "../../core/diagnostics";
import { rpc } from "../rpc";
import { configuredBlock, diagnosticsOnly } from "../wire/messages";

/** Validates what only a plan knows. Terraform has shown the warnings of the configuration before. */
export const planAction = rpc({
  name: "PlanAction",
  request: configuredBlock,
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded }) => {
    const codec = session.action(typeName);
    const config = codec.decodeConfig(encoded);
    const { connectionSoFar } = session;
    const found = session.provider.actions.validate(typeName, config, connectionSoFar);
    return { diagnostics: codec.diagnostics(hasErrors(found) ? found : []) };
  },
});
