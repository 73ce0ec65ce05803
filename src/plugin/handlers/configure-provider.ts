import { rpc } from "../rpc";
import { message, optional } from "../wire/message";
import { diagnosticsOnly, dynamicValue } from "../wire/messages";

export const configureProvider = rpc({
  name: "ConfigureProvider",
  request: message({ config: optional(2, dynamicValue) }),
  response: diagnosticsOnly,
  handle: async (session, { config }) => {
    const codec = session.configuration();
    const diagnostics = await session.configure(codec.decodeConfig(config));
    return { diagnostics: codec.diagnostics(diagnostics) };
  },
});
