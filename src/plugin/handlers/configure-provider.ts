import { objectType } from "../../provider/schema/terraform";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { message, optional, repeated } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const configureProvider = rpc({
  name: "ConfigureProvider",
  request: message({ config: optional(2, dynamicValue) }),
  response: message({ diagnostics: repeated(1, diagnostic) }),
  handle: async (session, { config: encoded }) => {
    const { configuration } = session.provider.definition;
    const config = new DynamicValues().decodeObject(objectType(configuration), encoded) ?? {};
    const diagnostics = await session.configure(config);
    return { diagnostics: encodeDiagnostics(configuration, diagnostics) };
  },
});
