import { decodePrivate, encodePrivate } from "../../core/private-state";
import { rpc } from "../rpc";
import { encodePath } from "../values/diagnostics";
import { bytes, field, message, optional, repeated, string } from "../wire/message";
import { attributePath, diagnostic, dynamicValue } from "../wire/messages";

/**
 * Ignores the state that Terraform proposes: it carries the prior members of lists over by index,
 * and write-only values.
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
    const codec = session.resource(request.typeName);
    const config = codec.decode(request.config);
    const prior = codec.decode(request.priorState);
    const stored = decodePrivate(request.priorPrivate);
    const plan = await session.plan(request.typeName, { config, prior, private: stored }, signal);
    return {
      plannedState: codec.encode(plan.planned),
      requiresReplace: plan.requiresReplace.flatMap(
        (path) => encodePath(codec.attributes, path) ?? [],
      ),
      plannedPrivate: encodePrivate(plan.private),
      diagnostics: codec.diagnostics(plan.diagnostics),
    };
  },
});
