import { encodeType } from "../../core/type-json";
import { unmark } from "../../core/marks";
import { typeOf } from "../../core/typed-values";
import { isWhollyKnown, valueAt, type Value } from "../../core/values";
import type { PlanDocument } from "../../core/documents/plan-document";
import { resourceSchema } from "../graph/stack-context";
import { attributesOf } from "../evaluation/providers";
import { REMOTE_STATE } from "../graph/configuration";
import { formatProvider, formatResourceAddress, parseProvider } from "../../core/documents/address";
import { MutableState } from "../../backends";
import { newInstance, type OutputState, type State } from "../../core/documents/state";
import { configurationJson, defaultOf } from "./configuration-json";
import type { StackPlan } from "../../core/documents/stack-plan";
import { encodeOutput } from "./outputs";
import type { StackRun } from "./run";

/** Collects the plan document of a run. Call it before anything is applied. */
export function planDocument(run: StackRun, plan: StackPlan, timestamp: Date): PlanDocument {
  const { context } = run;
  const outputs = plannedOutputs(run);
  const priorState = withImported(withRemoteStates(run), run);
  const versions = schemaVersions(run);
  return {
    plan,
    configuration: configurationJson(context.config, versions),
    variables: variablesOf(run),
    outputs,
    // Includes outputs that are known, without check results, as in Terraform.
    priorState: {
      ...priorState,
      outputs: Object.fromEntries(
        Object.entries({ ...priorState.outputs, ...outputs }).filter(
          ([name]) => !isNull(run, name),
        ),
      ),
      checkResults: null,
    },
    checks: run.checks.encode(),
    schemaOf: ({ mode, type, provider }) => {
      const { address = "" } = parseProvider(provider) ?? {};
      return attributesOf({ mode, type, provider: address }, context.providers);
    },
    schemaVersions: versions,
    timestamp,
  };
}

function variablesOf({ context }: StackRun): Readonly<Record<string, Value>> {
  const { config, given } = context;
  return Object.fromEntries(
    [...config.variables.values()].flatMap((variable) => {
      const { name, ephemeral } = variable;
      const settled = ephemeral ? undefined : given.get(name);
      const value = settled === undefined ? defaultOf(variable) : unmark(settled).value;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function isNull({ outputs }: StackRun, name: string): boolean {
  const value = outputs.get(name)?.value;
  return value !== undefined && unmark(value).value === null;
}

/** The outputs that the plan knows, in the form of the state. */
export function plannedOutputs(run: StackRun): Readonly<Record<string, OutputState>> {
  return Object.fromEntries(
    [...run.outputs].flatMap(([name, { change, value }]) => {
      const node = run.context.nodes.outputs.get(name);
      if (!node || value === undefined) return [];
      const { sensitive } = node.config;
      // Terraform keeps the type of a null that replaces a value, and of no other null.
      const type = change.action === "update" ? encodeType(typeOf(value)) : "dynamic";
      const encoded = isNull(run, name)
        ? { value: null, type, sensitive }
        : encodeOutput(node, value);
      return encoded ? [[name, encoded] as const] : [];
    }),
  );
}

/** Replaces the outputs of other stacks, which are data sources in the state of Terraform. */
function withRemoteStates({ context, values, state: present }: StackRun): State {
  const state = present.current();
  const own = state.resources.filter(({ type }) => type !== REMOTE_STATE);
  const complete = new MutableState({ ...state, resources: own });
  for (const [address, instances] of context.remoteStates) {
    const block = context.config.dataSources.get(address);
    if (!block) continue;
    const { mode, type, name } = block;
    const value = unmark(values.resource(mode, type, name) ?? null).value;
    for (const { key } of instances) {
      const plain = key === undefined ? value : valueAt(value, [key]);
      if (!isWhollyKnown(plain) || !isRecord(plain)) continue;
      complete.set(
        { mode, type, name, key },
        'provider["terraform.io/builtin/terraform"]',
        newInstance(plain),
      );
    }
  }
  return complete.current();
}

/** Adds imported objects, which the state has only after an apply. */
function withImported(state: State, { changes }: StackRun): State {
  const complete = new MutableState(state);
  for (const { change, target, imported, dependencies } of [...changes.values()].flat()) {
    if (!change.importing || !isWhollyKnown(change.before) || !isRecord(change.before)) continue;
    complete.set(target.instance, formatProvider(change.provider), {
      ...newInstance(change.before, target.schema.version),
      dependencies: imported?.dependencies ?? dependencies,
    });
  }
  return complete.current();
}

function schemaVersions(run: StackRun): ReadonlyMap<string, number> {
  const { context, changes } = run;
  const { resources, dataSources } = context.config;
  const versions = new Map<string, number>();
  for (const block of [...resources.values(), ...dataSources.values()]) {
    const schema = resourceSchema(context, block);
    if (!("problem" in schema)) versions.set(block.address, schema.version);
  }
  for (const { target } of [...changes.values()].flat()) {
    versions.set(formatResourceAddress(target.instance), target.schema.version);
  }
  return versions;
}

function isRecord(value: unknown): value is Parameters<typeof newInstance>[0] {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
