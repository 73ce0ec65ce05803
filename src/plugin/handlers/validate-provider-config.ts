import { objectType } from "../../provider/schema/terraform";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { message, optional, repeated } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const validateProviderConfig = rpc({
  name: "ValidateProviderConfig",
  request: message({ config: optional(1, dynamicValue) }),
  response: message({ diagnostics: repeated(2, diagnostic) }),
  handle: ({ provider }, { config: encoded }) => {
    const { configuration } = provider.definition;
    const config = new DynamicValues().decodeObject(objectType(configuration), encoded) ?? {};
    const diagnostics = provider.validateConfiguration(config);
    return { diagnostics: encodeDiagnostics(configuration, diagnostics) };
  },
});
