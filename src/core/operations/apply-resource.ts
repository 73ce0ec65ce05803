import type {
  ApplyContext,
  Outcome,
  Resource,
  WriteContext,
} from "../definitions/resource-definition";
import { error, type Diagnostic } from "../diagnostics";
import type { ObjectValue } from "../values";
import { NotStoredError, RefusedError, type Diagnose } from "../definitions/failure";
import {
  type ApplyRequest,
  type CallContext,
  type OperationResult,
  contextOf,
  runOperation,
} from "./run-operation";

const NOT_STARTED = error(
  "Change was not started",
  "The run ended before this object was changed. Nothing was written.",
);

/** Creates, updates or destroys one resource instance. */
export async function applyResource<C>(
  resource: Resource<C>,
  connection: C,
  request: ApplyRequest<C>,
  diagnose: Diagnose | undefined,
): Promise<OperationResult> {
  let reached: Pick<OperationResult, "state" | "private"> = {
    state: request.prior,
    private: request.private,
  };
  const context: ApplyContext<C, ObjectValue> = {
    ...writeContext(request, connection),
    checkpoint: async (point, elsewhere) => {
      const durable = { state: point.state, private: point.private ?? {} };
      try {
        await (request.checkpoint ? request.checkpoint(durable) : elsewhere?.());
      } catch (cause) {
        throw new NotStoredError(cause);
      }
      reached = durable;
    },
  };
  return runOperation(
    () => reached,
    () => write(resource, request, context),
    diagnose,
  );
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

async function write<C>(
  resource: Resource<C>,
  request: ApplyRequest<C>,
  context: ApplyContext<C, ObjectValue>,
): Promise<Outcome<ObjectValue>> {
  const { prior, planned, config, private: privateState } = request;
  if (planned === null || config === null) {
    return prior === null ? { state: null } : resource.delete(prior, privateState, context);
  }
  const refusals = await learnAndValidate(resource, planned, context);
  if (refusals.length > 0) return { state: prior, private: privateState, diagnostics: refusals };
  if (prior === null) return resource.create(planned, config, context);
  if (!resource.update) throw new Error(`${resource.type} cannot be updated in place`);
  return resource.update(prior, planned, config, privateState, context);
}

/** Validates what depends on the console, which the plan may not have known. */
async function learnAndValidate<C>(
  resource: Resource<C>,
  planned: ObjectValue,
  { connection, signal }: ApplyContext<C, ObjectValue>,
): Promise<readonly Diagnostic[]> {
  const problems = await resource.learn?.(connection, signal, { retry: true });
  if (!problems || problems.length > 0) return problems ?? [];
  const found = resource.validate?.(planned, connection) ?? [];
  return found.filter(({ severity }) => severity === "error");
}
