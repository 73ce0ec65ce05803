import type {
  ApplyContext,
  Outcome,
  Resource,
  WriteContext,
} from "../definitions/resource-definition";
import { error } from "../diagnostics";
import { walkAttributes } from "../schema/walk";
import type { ObjectValue } from "../values";
import {
  diagnoseFailure,
  NotStoredError,
  RefusedError,
  type Diagnose,
} from "../definitions/failure";
import {
  type ApplyRequest,
  type CallContext,
  type OperationResult,
  contextOf,
} from "./run-operation";

const NOT_STARTED = error(
  "Change was not started",
  "The run ended before this object was changed. Nothing was written.",
);

/**
 * Creates, updates or destroys one resource instance. An error becomes a diagnostic next to the state
 * reached before it.
 */
export async function applyResource<C>(
  resource: Resource<C>,
  connection: C,
  request: ApplyRequest<C>,
  diagnose: Diagnose | undefined,
): Promise<OperationResult> {
  const { prior, planned, config, signal } = request;
  let reached: Pick<OperationResult, "state" | "private" | "isUnconfirmed"> = {
    state: prior,
    private: request.private,
  };
  const context: ApplyContext<C, ObjectValue> = {
    ...writeContext({ ...request, record: recorderOf(resource, request) }, connection),
    checkpoint: async (point, elsewhere) => {
      const durable = { state: point.state, private: point.private ?? {} };
      try {
        await (request.checkpoint ? request.checkpoint(durable) : elsewhere?.());
      } catch (cause) {
        throw new NotStoredError(cause);
      }
      reached = { ...durable, isUnconfirmed: true };
    },
  };
  const put = async (): Promise<Outcome<ObjectValue>> => {
    // The plan may not have known the connection.
    const refusal = [prior, planned]
      .map((object) => object && resource.refuse?.(object, request.private, connection))
      .find((found) => found);
    if (refusal) return { ...reached, diagnostics: [refusal] };
    if (planned === null || config === null) {
      return prior === null ? { state: null } : resource.delete(prior, request.private, context);
    }
    // The plan may not have known what depends on the service.
    const problems = await resource.learn?.(connection, signal, { retry: true });
    const invalid = problems?.length === 0 ? resource.validate?.(planned, connection) : undefined;
    const refusals = invalid?.filter(({ severity }) => severity === "error") ?? problems ?? [];
    if (refusals.length > 0) return { ...reached, diagnostics: refusals };
    if (prior === null) return resource.create(planned, config, context);
    if (!resource.update) throw new Error(`${resource.type} cannot be updated in place`);
    return resource.update({ prior, planned, config, private: request.private }, context);
  };
  try {
    return { private: {}, diagnostics: [], ...(await put()) };
  } catch (failure) {
    return { ...reached, diagnostics: [diagnoseFailure(failure, diagnose)] };
  }
}

/** Content that is written with secrets of the configuration may have them: no record keeps it. */
function recorderOf<C>(
  { attributes }: Resource<C>,
  { record, config }: ApplyRequest<C>,
): ApplyRequest<C>["record"] {
  if (!record || config === null) return record;
  const hasSecrets = walkAttributes(attributes, config).some(
    ({ attribute, value }) => attribute.writeOnly && value !== null,
  );
  if (!hasSecrets) return record;
  return async (entry) => {
    if (!("digest" in entry)) await record({ hidden: true });
  };
}

/** The context of an operation that may write. */
export function writeContext<C>(
  request: CallContext<C> & Pick<ApplyRequest<C>, "beforeWrite" | "record" | "waitUntil">,
  connection: C,
): WriteContext<C> {
  return {
    ...contextOf(request, connection),
    beforeWrite: async () => {
      if ((await request.beforeWrite?.()) === false) throw new RefusedError(NOT_STARTED);
    },
    ...(request.waitUntil !== undefined && { waitUntil: request.waitUntil }),
    ...(request.record && { record: request.record }),
  };
}
