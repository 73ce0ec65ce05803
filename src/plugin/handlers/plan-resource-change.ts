import { rpc } from "../rpc";
import { encodePath } from "../values/attribute-path";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
import { decodePrivate, encodePrivate } from "../values/private-state";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { attributePath, diagnostic, dynamicValue } from "../wire/messages";

/**
 * The plan is made of the configuration and the prior state. What Terraform proposes is not looked
 * at: it carries the prior members of lists over by index, and write-only values.
 */
export const planResourceChange = rpc({
  name: "PlanResourceChange",
  request: message({
    typeName: field(1, string),
    priorState: optional(2, dynamicValue),
    config: optional(4, dynamicValue),
    priorPrivate: field(5, bytes),
  }),
  response: message({
    plannedState: optional(1, dynamicValue),
    requiresReplace: repeated(2, attributePath),
    plannedPrivate: field(3, bytes),
    diagnostics: repeated(4, diagnostic),
  }),
  handle: async (session, request, signal) => {
    const { typeName } = request;
    const { attributes, type } = session.resource(typeName);
    const { connection } = session;
    const values = new DynamicValues();
    const config = values.decodeObject(type, request.config);
    const prior = values.decodeObject(type, request.priorState);
    const plan = await session.provider.plan(typeName, {
      config,
      prior,
      private: decodePrivate(request.priorPrivate),
      connection,
      signal,
    });
    return {
      plannedState: values.encode(type, plan.planned),
      requiresReplace: plan.requiresReplace.flatMap((path) => encodePath(attributes, path) ?? []),
      plannedPrivate: encodePrivate(plan.private),
      diagnostics: encodeDiagnostics(attributes, plan.diagnostics),
    };
  },
});
