import { randomBytes } from "node:crypto";
import { sharedForEach } from "../../core/alike";
import type { PrivateState } from "../../core/private-state";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { isWhollyKnown, valuesEqual, type ObjectValue } from "../../core/values";
import type { ApplyRequest, OperationResult } from "../../core/operations/run-operation";
import { sensitivePaths, toEvaluated } from "../evaluation/attributes";
import type { Conformed } from "../evaluation/conform";
import { errorAt, locate } from "../config/located";
import { encodeInstance, type StoredObject } from "../evaluation/stored-objects";
import type { Visited } from "../graph/walk";
import { meetsPostconditions, meetsPreconditions } from "../plan/conditions";
import { configureInstance } from "../plan/configure-instance";
import { readData, storeData } from "../plan/data";
import type { PlannedInstance } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";
import type { Target } from "../plan/target";
import { provision } from "./provision";
import type { InstanceState } from "../../core/documents/state";
import {
  connectedTarget,
  count,
  follow,
  recordInstance,
  recordIntent,
  surroundingsOf,
  type Applying,
} from "./applying";
import { accept, checkFailed, isUnchanged, settle, verify } from "./result";
import { finalConfiguration, finalPlan, neverKnown, type FinalPlan } from "./final-plan";

/** Creates, updates or reads an object as planned; false if that fails. */
export async function put(
  applying: Applying,
  run: StackRun,
  change: PlannedInstance,
): Promise<Visited> {
  if (change.change.action === "no-op") return keep(applying, run, change);
  const target = connectedTarget(run, change);
  if (!target?.config) return false;
  const surroundings = surroundingsOf(run, change);
  if (!meetsPreconditions(run, target.config, target.where, surroundings)) return false;
  if (change.change.action === "read") return putData(applying, run, change, target);

  const configured = finalConfiguration(run, change, target);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return false;
  const before = change.change.action === "update" ? (change.prior?.value ?? null) : null;
  const final = await finalPlan(applying, change, target, configured, before);
  run.report(locate(final.diagnostics, target.where));
  if (!final.planned || hasErrors(final.diagnostics)) return false;
  if (!isWhollyKnown(configured.value)) {
    run.report([neverKnown(target)]);
    checkFailed(run, change, target, configured, before);
    return false;
  }
  if (isUnchanged(change, target, final.planned, configured)) {
    return accept(applying, run, change, target, configured, final.planned);
  }
  if (!(await depose(applying, run, change, target))) return false;
  return perform(applying, run, change, target, { ...final, planned: final.planned, configured });
}

/**
 * Keeps an object that does not change. Its conditions may depend on objects that do. Those of a
 * data source were checked when it was read.
 */
function keep({ values }: Applying, run: StackRun, change: PlannedInstance): boolean {
  const { schema, config, where, mode } = change.target;
  const { planned } = change;
  const { afterSensitive } = change.change;
  if (!planned) return true;
  const self = toEvaluated(schema.attributes, planned, afterSensitive);
  values.set(change, self);
  if (!config || mode === "data") return true;
  const surroundings = surroundingsOf(run, change);
  return (
    meetsPreconditions(run, config, where, surroundings) &&
    meetsPostconditions(run, config, where, surroundings, self)
  );
}

async function putData(
  { planning: { options }, values }: Applying,
  run: StackRun,
  change: PlannedInstance,
  target: Target,
): Promise<boolean> {
  const surroundings = surroundingsOf(run, change);
  const { config } = target;
  if (!config) return false;
  const configured = configureInstance(run, target, config, surroundings);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return false;
  const read = await readData(options, run, target, configured);
  if (!read) return config.check !== undefined && !options.stop.aborted;
  storeData(run, target, configured, read);
  const { attributes } = target.schema;
  const sensitive = sensitivePaths(attributes, read, configured.marks);
  const self = toEvaluated(attributes, read, sensitive);
  values.set(change, self);
  return meetsPostconditions(run, config, target.where, surroundings, self);
}

/** Stores the old object under a deposed key if its replacement is created first. */
async function depose(
  applying: Applying,
  run: StackRun,
  change: PlannedInstance,
  { instance, providerAddress }: Target,
): Promise<boolean> {
  if (change.change.action !== "create-then-delete") return true;
  const current = run.state.find(instance);
  if (!current) return true;
  const deposed = randomBytes(4).toString("hex");
  const aside: InstanceState = { ...current, deposed };
  applying.deposed.set(change, deposed);
  run.state.remove(instance);
  run.state.set(instance, providerAddress, aside);
  return recordInstance(
    applying,
    run,
    change,
    providerAddress,
    { deposed, instance: aside },
    { instance: null },
  );
}

/** Stacks that are alike have one plan, and what they reach is mostly the same. */
const reachedState = sharedForEach<ObjectValue>();

/** A final plan that the provider can apply. */
interface Ready extends FinalPlan {
  readonly planned: ObjectValue;
  readonly configured: Conformed;
}

async function perform(
  applying: Applying,
  run: StackRun,
  change: PlannedInstance,
  target: Target,
  ready: Ready,
): Promise<Visited> {
  const { address, action } = change.change;
  const operation = action === "update" ? "update" : "create";
  const prior = operation === "update" ? change.prior : undefined;
  if (!recordIntent(applying, run, address, operation)) return false;

  const createBeforeDestroy = applying.createdFirst.has(change);
  const encode = encoderOf({ ...change, createBeforeDestroy }, target, ready.configured, prior);
  const checkpoint = (instance: InstanceState) =>
    recordInstance(applying, run, change, target.providerAddress, { instance, checkpoint: true });
  const followed = follow(applying, change, operation, prior?.value ?? null);
  const reached = await callProvider(applying, target, ready, prior, {
    progress: followed.progress,
    checkpoint: async (point) => {
      const instance = encode(point);
      run.state.set(target.instance, target.providerAddress, instance);
      if (!(await checkpoint(instance))) throw new Error("the journal cannot be written");
    },
  });
  const state = reached.state && reachedState(ready.planned, reached.state);
  const problems: Diagnostic[] = [...locate(reached.diagnostics, target.where)];
  if (!hasErrors(problems)) problems.push(...verify(target, ready.planned, state));
  if (state && operation === "create" && !hasErrors(problems) && hasProvisioners(target)) {
    // A process that is killed during a provisioner leaves a tainted object.
    const recorded = await checkpoint(encode({ ...reached, state }, { tainted: true }));
    const sensitive = sensitivePaths(target.schema.attributes, state, ready.configured.marks);
    const provisioned = recorded
      ? await provision(applying.planning.options, run, change, "create", {
          value: state,
          sensitive,
        })
      : [notProvisioned(target)];
    problems.push(...provisioned);
  }
  run.report(problems);
  const failed = hasErrors(problems);
  const tainted = failed && operation === "create";
  const instance = state && encode({ ...reached, state }, { tainted });
  const settleAndAccept = async () => {
    const kept = await settle(applying, run, change, target, instance);
    followed.end(failed, state);
    if (failed || !state)
      checkFailed(run, change, target, ready.configured, state ?? prior?.value ?? null);
    if (failed || !kept || !state) return false;
    count(applying, run, operation === "update" ? "change" : "add");
    return accept(applying, run, change, target, ready.configured, state);
  };
  // The call has ended: another one can run while the result is recorded.
  return { settled: settleAndAccept() };
}

/** Encodes objects of a change as the state keeps them. */
function encoderOf(
  { dependencies, createBeforeDestroy }: PlannedInstance,
  { schema }: Target,
  { marks }: Conformed,
  prior: StoredObject | undefined,
) {
  return (
    {
      state,
      private: privateState,
    }: { readonly state: ObjectValue; readonly private: PrivateState },
    { tainted }: { readonly tainted: boolean } = { tainted: false },
  ): InstanceState =>
    encodeInstance(
      schema,
      state,
      {
        private: privateState,
        sensitive: sensitivePaths(schema.attributes, state, marks),
        dependencies,
        createBeforeDestroy,
        tainted,
      },
      prior && { stored: prior.stored, unchanged: false },
    );
}

async function callProvider(
  { planning: { options } }: Applying,
  { provider, type, connection }: Target,
  { planned, configured }: Ready,
  prior: StoredObject | undefined,
  callbacks: Pick<ApplyRequest<unknown>, "progress" | "checkpoint">,
): Promise<OperationResult> {
  // A provider is not called if only sensitivity changes, as in Terraform.
  if (prior && valuesEqual(prior.value, planned)) {
    return { state: prior.value, private: prior.private, diagnostics: [] };
  }
  return provider.apply(type, {
    prior: prior?.value ?? null,
    planned,
    // Without `ignore_changes`, as Terraform passes it.
    config: configured.value,
    private: prior?.private ?? {},
    connection,
    signal: options.abort,
    stop: options.stop,
    ...callbacks,
  });
}

function hasProvisioners({ config }: Target): boolean {
  return config?.provisioners.some(({ when }) => when === "create") ?? false;
}

function notProvisioned({ where }: Target): Diagnostic {
  return errorAt(
    where,
    "Provisioners were not run",
    "The object was created, but that could not be recorded, so its provisioners were not started.",
  );
}
