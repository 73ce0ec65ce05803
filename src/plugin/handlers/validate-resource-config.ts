import { refuseWriteOnly } from "../../core/schema/validate-attributes";
import { rpc } from "../rpc";
import { field, message, optional, string } from "../wire/message";
import { clientCapabilities, diagnosticsOnly, dynamicValue } from "../wire/messages";

export const validateResourceConfig = rpc({
  name: "ValidateResourceConfig",
  request: message({
    typeName: field(1, string),
    config: optional(2, dynamicValue),
    clientCapabilities: optional(3, clientCapabilities),
  }),
  response: diagnosticsOnly,
  handle: (session, { typeName, config: encoded, clientCapabilities: client }) => {
    const codec = session.resource(typeName);
    const config = codec.decodeConfig(encoded);
    const unsupported = client?.writeOnlyAttributesAllowed
      ? []
      : refuseWriteOnly(codec.attributes, config);
    const diagnostics = session.provider.validateResource(typeName, config);
    return { diagnostics: codec.diagnostics([...diagnostics, ...unsupported]) };
  },
});
