import { rpc } from "../rpc";
import { configuredBlock, diagnosticsOnly } from "../wire/messages";

export const validateEphemeralResourceConfig = rpc({
  name: "ValidateEphemeralResourceConfig",
  request: configuredBlock,
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded }) => {
    const codec = session.ephemeralResource(typeName);
    const config = codec.decodeConfig(encoded);
    const diagnostics = session.provider.ephemeralResources.validate(typeName, config);
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});
