import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

export const validateEphemeralResourceConfig = rpc({
  name: "ValidateEphemeralResourceConfig",
  request: message({ typeName: field(1, string), config: optional(2, dynamicValue) }),
  response: message({ diagnostics: repeated(1, diagnostic) }),
  handle: (session, { typeName, config: encoded }) => {
    const { attributes, type } = session.ephemeralResource(typeName);
    const config = new DynamicValues().decodeObject(type, encoded) ?? {};
    const diagnostics = session.provider.ephemeralResources.validate(typeName, config);
    return { diagnostics: encodeDiagnostics(attributes, diagnostics) };
  },
});
