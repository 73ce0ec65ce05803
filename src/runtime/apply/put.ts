import { sharedForEach } from "../../core/alike";
import type { OperationResult } from "../../core/operations/run-operation";
import { refereeResult } from "../../core/planning/referee";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { isWhollyKnown, valuesEqual, type ObjectValue } from "../../core/values";
import type { PrivateState } from "../../core/private-state";
import { samePaths, sensitivePaths, toEvaluated, unknownObject } from "../evaluation/attributes";
import { answered } from "../evaluation/provider-diagnostics";
import { errorAt, locate, type Location } from "../../language";
import { encodeInstance, marked, marksOf } from "../evaluation/stored-objects";
import type { Pause, Visited } from "../graph/walk";
import { meetsPostconditions, meetsPreconditions } from "../plan/conditions";
import { configureInstance } from "../plan/configure-instance";
import { readData, storeData } from "../plan/data";
import type { PlannedInstance } from "../plan/planned-instance";
import { finalPlan, neverKnown, type FinalInstance } from "./final-plan";
import { hasProvisioners, provision } from "./provision";
import type { StackApply, StoredResult } from "./stack-apply";
import { world } from "../../core/io/world";

/** Creates, updates or reads an object as planned; false if that fails. */
export async function put(
  applying: StackApply,
  planned: PlannedInstance,
  pause: Pause,
): Promise<Visited> {
  const { run, options } = applying;
  const { action } = planned.change;
  if (planned.imported && !(await applying.reportImport(planned, pause))) return false;
  if (action === "no-op") return keep(applying, planned);
  const connected = applying.connected(planned);
  if (!connected?.target.config) return false;
  const present = { ...connected, surroundings: applying.surroundingsOf(planned) };
  if (!meetsPreconditions(run, present)) return false;
  if (action === "read") return putData(applying, present);

  const { final, diagnostics } = await finalPlan(run, planned, present, options.abort);
  run.report(diagnostics);
  if (!final) return false;
  if (!isWhollyKnown(final.configured.value)) {
    run.report([neverKnown(final)]);
    accept(applying, final, final.prior?.value ?? null);
    return false;
  }
  if (isUnchanged(final)) return accept(applying, final, final.planned);
  if (action === "create-then-delete") {
    if (!(await applying.mayWrite(pause)) || !(await depose(applying, final))) return false;
  }
  return write(applying, final, pause);
}

/**
 * Keeps an object that does not change. Its conditions may depend on objects that do. Those of a
 * data source were checked when it was read.
 */
function keep(applying: StackApply, planned: PlannedInstance): boolean {
  const { run, values } = applying;
  const { change, target } = planned;
  const { schema, config, mode } = target;
  if (!planned.planned) return true;
  const { marks } = planned.configured?.effective ?? {};
  const self = toEvaluated(schema.attributes, planned.planned, change.afterSensitive, marks);
  values.set(change, self);
  if (!config || mode === "data") return true;
  const present = { target, surroundings: applying.surroundingsOf(planned) };
  return meetsPreconditions(run, present) && meetsPostconditions(run, present, self);
}

async function putData(applying: StackApply, planned: PlannedInstance): Promise<boolean> {
  const { run, options } = applying;
  const { target, surroundings } = planned;
  const { config } = target;
  if (!config) return false;
  const configured = configureInstance(run, target, surroundings);
  run.report(configured.diagnostics);
  if (hasErrors(configured.diagnostics)) return false;
  const read = await readData(options, run, target, configured);
  if (!read) return config.check !== undefined && !options.stop.aborted;
  storeData(run, target, configured, read);
  return accept(applying, { ...planned, configured }, read);
}

/**
 * Reports whether an update changes nothing after all. Terraform then leaves the object in the state
 * as it is, also the dependencies that it had before.
 */
function isUnchanged({ prior, target, planned, configured }: FinalInstance): boolean {
  const { attributes } = target.schema;
  if (!prior || !valuesEqual(prior.value, planned)) return false;
  const before = sensitivePaths(attributes, prior.value, marksOf(prior));
  return samePaths(before, sensitivePaths(attributes, planned, configured.effective.marks));
}

/** Stores the old object under a deposed key, because its replacement is created first. */
async function depose(applying: StackApply, { change, target }: FinalInstance): Promise<boolean> {
  const current = applying.run.state.find(target.instance);
  if (!current) return true;
  const deposed = world.random.bytes(4).toString("hex");
  applying.deposed.set(change, deposed);
  const aside = { deposed, instance: { ...current, deposed } };
  return applying.store(target, aside, { instance: null });
}

/** Stacks that are alike have one plan, and what they reach is mostly the same. */
const reachedState = sharedForEach<ObjectValue>();

/** Calls the provider and runs provisioners, then stores the result. */
async function write(applying: StackApply, final: FinalInstance, pause: Pause): Promise<Visited> {
  const { run, options, pace } = applying;
  const { target, change, prior, planned, configured, dependencies } = final;
  const { schema, where } = target;
  const action = prior ? "update" : "create";
  const operation = await applying.begin(final, action, pause);
  if (!operation) return false;

  const encode = (value: ObjectValue, privateState: PrivateState, tainted: boolean) => {
    const sensitive = sensitivePaths(schema.attributes, value, configured.effective.marks);
    const createBeforeDestroy = applying.createdFirst.has(change);
    const facts = { private: privateState, sensitive, dependencies, createBeforeDestroy, tainted };
    return encodeInstance(
      schema,
      value,
      facts,
      prior && { stored: prior.stored, unchanged: false },
    );
  };
  // A provider is not called if only sensitivity changes, as in Terraform.
  const reached: OperationResult =
    prior && valuesEqual(prior.value, planned)
      ? { state: prior.value, private: prior.private, diagnostics: [] }
      : await target.provider.apply(target.type, {
          prior: prior?.value ?? null,
          planned,
          // Without `ignore_changes`, as Terraform passes it.
          config: configured.value,
          private: prior?.private ?? {},
          connection: target.connection,
          signal: options.abort,
          stop: options.stop,
          waitUntil: pace.waitUntil,
          ...operation.callbacks,
          checkpoint: async (point) => {
            const instance = encode(point.state, point.private, false);
            if (!(await applying.store(target, { instance, checkpoint: true })))
              throw new Error("the journal cannot be written");
          },
        });
  const state = reached.state && reachedState(planned, reached.state);
  const problems = [...answered(reached.diagnostics, where, configured, prior && marked(prior))];
  if (!hasErrors(problems))
    problems.push(...(state ? judged(planned, state, target) : [missing(where)]));
  const provisions =
    state && action === "create" && !hasErrors(problems) && hasProvisioners(run, target, action);
  if (provisions) await operation.mayWrite();
  if (operation.isRefused) {
    operation.end(true, null);
    return false;
  }
  if (provisions) {
    // A process that is killed during a provisioner leaves a tainted object.
    const tainted = encode(state, reached.private, true);
    const recorded = await applying.store(target, { instance: tainted, checkpoint: true });
    const sensitive = sensitivePaths(schema.attributes, state, configured.effective.marks);
    problems.push(
      ...(recorded
        ? await provision(applying, final, "create", { value: state, sensitive })
        : [notProvisioned(final)]),
    );
  }
  run.report(problems);
  const failed = hasErrors(problems);
  const isTainted = failed && action === "create" && !reached.isUnconfirmed;
  const instance = state && encode(state, reached.private, isTainted);
  const deposed = applying.deposed.get(change);
  const aside = deposed === undefined ? undefined : run.state.find(target.instance, deposed);
  const results: readonly StoredResult[] =
    instance || !aside
      ? [{ instance }]
      : // Without a new object, the deposed one is current again.
        [{ instance: { ...aside, deposed: undefined } }, { deposed, instance: null }];
  const settle = async () => {
    const stored = await applying.store(target, ...results);
    operation.end(failed, state);
    if (failed || !state) accept(applying, final, state ?? prior?.value ?? null);
    if (failed || !stored || !state) return false;
    applying.counts[prior ? "change" : "add"]++;
    return accept(applying, final, state);
  };
  // The call has ended: another one can run while the result is recorded.
  return { settled: settle() };
}

/**
 * Sets the value of an instance, and checks its postconditions. Terraform checks those of an object
 * that could not be changed, too; one that does not exist is unknown.
 */
function accept(
  { run, values }: StackApply,
  { change, target, surroundings, configured }: Omit<FinalInstance, "planned">,
  state: ObjectValue | null,
): boolean {
  const { attributes } = target.schema;
  const { marks } = configured.effective;
  const self = state
    ? toEvaluated(attributes, state, sensitivePaths(attributes, state, marks), marks)
    : unknownObject(attributes);
  values.set(change, self);
  return meetsPostconditions(run, { target, surroundings }, self);
}

function notProvisioned({ target: { where } }: PlannedInstance): Diagnostic {
  return errorAt(
    where,
    "Provisioners were not run",
    "The object was created, but that could not be recorded, so its provisioners were not started.",
  );
}

function judged(
  planned: ObjectValue,
  state: ObjectValue,
  { schema: { attributes }, where }: PlannedInstance["target"],
): readonly Diagnostic[] {
  return locate(refereeResult(planned, state, { kind: "object", attributes }), where);
}

function missing(where: Location): Diagnostic {
  return errorAt(
    where,
    "Provider produced inconsistent result after apply",
    `The provider reported success, but ${where.address} does not exist. This is a bug in the provider: please report it.`,
  );
}
