import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { field, message, optional, repeated, string } from "../wire/message";
import { diagnostic, dynamicValue } from "../wire/messages";

/**
 * Terraform asks twice: of what is written, and once the provider is configured, right before it
 * reads. (Of a resource's configuration the plan tells what the connection knows.)
 */
export const validateDataResourceConfig = rpc({
  name: "ValidateDataResourceConfig",
  request: message({ typeName: field(1, string), config: optional(2, dynamicValue) }),
  response: message({ diagnostics: repeated(1, diagnostic) }),
  handle: (session, { typeName, config: encoded }) => {
    const { attributes, type } = session.dataSource(typeName);
    const { provider, connectionSoFar } = session;
    const config = new DynamicValues().decodeObject(type, encoded) ?? {};
    const diagnostics = provider.validateDataSource(typeName, config, connectionSoFar);
    return { diagnostics: encodeDiagnostics(attributes, diagnostics) };
  },
});
