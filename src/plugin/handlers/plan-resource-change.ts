import { decodePrivate, encodePrivate, type PrivateState } from "../../provider/private-state";
import { hasErrors } from "../../provider/diagnostics";
import type { ObjectValue } from "../../provider/values";
import { rpc } from "../rpc";
import type { Session } from "../session";
import { encodePath } from "../values/attribute-path";
import { encodeDiagnostics } from "../values/diagnostics";
import { DynamicValues } from "../values/dynamic-value";
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
    const stored = decodePrivate(request.priorPrivate);
    const kept =
      config === null && prior !== null
        ? await privateFound(session, typeName, { state: prior, private: stored }, signal)
        : stored;
    const plan = await session.provider.plan(typeName, {
      config,
      prior,
      private: kept,
      connection,
      signal,
    });
    const isCreation = prior === null && plan.planned !== null;
    return {
      plannedState: values.encode(type, plan.planned),
      requiresReplace: plan.requiresReplace.flatMap((path) => encodePath(attributes, path) ?? []),
      plannedPrivate: encodePrivate(
        // Maybe in place of one that is tainted, which is then destroyed by this.
        isCreation
          ? { ...session.found.privateOf(typeName, plan.planned), ...plan.private }
          : plan.private,
      ),
      diagnostics: encodeDiagnostics(attributes, plan.diagnostics),
    };
  },
});

/**
 * The private state of an object as it is there by now. Terraform before 1.15 plans the end of what
 * the configuration has no more before it reads it, and destroys it by that plan: what was changed
 * outside until then must not look like a change since. What cannot be read Terraform's own reading
 * tells.
 */
async function privateFound(
  { provider, connection }: Session,
  type: string,
  stored: { readonly state: ObjectValue; readonly private: PrivateState },
  signal: AbortSignal,
): Promise<PrivateState> {
  const read = await provider.read(type, { ...stored, connection, signal });
  return read.state === null || hasErrors(read.diagnostics) ? stored.private : read.private;
}
