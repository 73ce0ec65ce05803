import { rpc } from "../rpc";
import { configuredBlock, diagnosticsOnly } from "../wire/messages";

/**
 * Terraform calls this twice: for the written configuration, and again before the read, when the
 * provider is configured. (For resources, the plan reports findings that need the connection.)
 */
export const validateDataResourceConfig = rpc({
  name: "ValidateDataResourceConfig",
  request: configuredBlock,
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded }) => {
    const codec = session.dataSource(typeName);
    const config = codec.decodeConfig(encoded);
    const { provider, connectionSoFar } = session;
    const diagnostics = provider.validateDataSource(typeName, config, connectionSoFar);
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});
