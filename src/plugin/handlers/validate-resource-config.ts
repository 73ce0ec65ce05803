import { error, formatPath, type Diagnostic } from "../../provider/diagnostics";
import type { Attributes } from "../../provider/schema/attribute";
import { walkAttributes } from "../../provider/schema/walk";
import type { ObjectValue } from "../../provider/values";
import { rpc } from "../rpc";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { field, message, optional, repeated, string } from "../wire/message";
import { clientCapabilities, diagnostic, dynamicValue } from "../wire/messages";

export const validateResourceConfig = rpc({
  name: "ValidateResourceConfig",
  request: message({
    typeName: field(1, string),
    config: optional(2, dynamicValue),
    clientCapabilities: optional(3, clientCapabilities),
  }),
  response: message({ diagnostics: repeated(1, diagnostic) }),
  handle: (session, { typeName, config: encoded, clientCapabilities: client }) => {
    const { attributes, type } = session.resource(typeName);
    const config = new DynamicValues().decodeObject(type, encoded) ?? {};
    const diagnostics = [
      ...session.provider.validateResource(typeName, config),
      ...(client?.writeOnlyAttributesAllowed ? [] : wouldBeStored(attributes, config)),
    ];
    return { diagnostics: encodeDiagnostics(attributes, diagnostics) };
  },
});

/** Terraform before 1.11 would keep in its state what is meant to be kept nowhere. */
function wouldBeStored(attributes: Attributes, config: ObjectValue): Diagnostic[] {
  return [...walkAttributes(attributes, config)]
    .filter(({ attribute, value }) => attribute.writeOnly && value !== null)
    .map(({ path }) =>
      error(
        "Write-only attributes are not supported",
        `"${formatPath(path)}" is kept in no state, which Terraform can do from 1.11 on: use that or a newer version.`,
        path,
      ),
    );
}
