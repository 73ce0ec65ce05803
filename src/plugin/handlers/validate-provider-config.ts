import { rpc } from "../rpc";
import { message, optional, repeated } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const validateProviderConfig = rpc({
  name: "ValidateProviderConfig",
  request: message({ config: optional(1, dynamicValue) }),
  response: message({ diagnostics: repeated(2, diagnostic) }),
  handle: (session, { config }) => {
    const codec = session.configuration();
    const diagnostics = session.provider.validateConfiguration(codec.decodeConfig(config));
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});
