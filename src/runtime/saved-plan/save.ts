import { unmark } from "../../core/marks";
import { isWhollyKnown, type KnownValue, type ObjectValue, type Value } from "../../core/values";
import type { PlanDocument } from "../../core/documents/plan-document";
import type { PlanScope, StackPlanRequest } from "../plan/request";
import type { StackRun } from "../plan/run";
import type { State } from "../../core/documents/state";
import { formatState } from "../../formats/state-file/write";
import { digestOf } from "./file";
import { sealProviders, type ProviderSeals } from "./provider-seals";
import { sealValues, type Seal } from "./seal";
import type { StackConfig, StackEntry } from "../../language";

/** The plans of a run, to be applied by a later one. */
export interface SavedPlans {
  readonly plans: readonly SavedPlan[];
  /** Seals of ephemeral variables, to compare their values when they are given again. */
  readonly seals: readonly Seal[];
  /** Seals of the credentials of providers and of their destinations. */
  readonly providers: ProviderSeals;
}

/**
 * The plan of one stack with everything that is needed to plan it again. It is applied only if the
 * new plan is the saved one.
 */
export interface SavedPlan {
  readonly stack: Pick<StackConfig, "name" | "directory" | "workspace"> &
    Pick<StackEntry, "dependencies">;
  /** The content of cdk.tf.json. */
  readonly configuration: unknown;
  readonly request: Required<Omit<StackPlanRequest, "rollback">>;
  /** The values of variables that are not ephemeral. */
  readonly variables: Readonly<Record<string, Value>>;
  readonly basis: Basis;
  /** Digests of the private state of changed objects, by address. */
  readonly digests: Readonly<Record<string, string>>;
  /** The results of data sources, by address: they are not read again. */
  readonly data: ReadonlyMap<string, ObjectValue>;
  /** The plan document that was reviewed. */
  readonly document: PlanDocument;
}

/** The state that a plan was made from. */
interface Basis extends Pick<State, "lineage" | "serial"> {
  /** The digest of the state; "none" for a stack that was never applied. */
  readonly sha256: string;
}

/** Saves plans that are not applied yet. */
export async function savePlans(
  planned: readonly { readonly run: StackRun; readonly document: PlanDocument }[],
  scope: PlanScope,
): Promise<SavedPlans> {
  const secrets = planned.flatMap(({ run }) =>
    variablesOf(run).ephemeral.map(([variable, value]) => ({ stack: run.name, variable, value })),
  );
  const { seals, keys } = await sealValues(secrets);
  const providers = planned.flatMap(({ run: { name: stack, context } }) =>
    [...context.connections.identities].map(([provider, identity]) => {
      return { stack, provider, configuration: context.config.json, identity };
    }),
  );
  return {
    plans: planned.map(({ run, document }) => savedPlan(run, document, scope)),
    seals,
    providers: await sealProviders(providers, keys),
  };
}

function savedPlan(run: StackRun, document: PlanDocument, scope: PlanScope): SavedPlan {
  const { config, after } = run.context;
  return {
    stack: {
      name: config.name,
      directory: config.directory,
      workspace: config.workspace,
      dependencies: after,
    },
    configuration: config.json,
    request: {
      mode: scope.mode,
      refresh: scope.refresh,
      replace: [...scope.replace],
      targets: scope.targets.map(({ text }) => text),
    },
    variables: Object.fromEntries(variablesOf(run).settled),
    basis: basisOf(run.stored),
    digests: digestsOf(run),
    data: new Map(
      document.plan.changes.flatMap(({ address, mode, action, after: read }) =>
        mode === "data" && action === "no-op" && read ? [[address, read] as const] : [],
      ),
    ),
    document,
  };
}

/** Separates the values of ephemeral variables, which are in no file, from the others. */
function variablesOf({ context }: StackRun) {
  const values = [...context.variables].map(([name, evaluated]): [string, KnownValue] => {
    const { value } = unmark(evaluated);
    if (!isWhollyKnown(value)) throw new Error(`var.${name} is not known`);
    return [name, value];
  });
  const isEphemeral = (name: string) => context.config.variables.get(name)?.ephemeral === true;
  return {
    ephemeral: values.filter(([name]) => isEphemeral(name)),
    settled: values.filter(([name]) => !isEphemeral(name)),
  };
}

export function basisOf(state: State | undefined): Basis {
  if (!state) return { lineage: "", serial: 0, sha256: "none" };
  const { lineage, serial } = state;
  return { lineage, serial, sha256: digestOf(formatState(state)) };
}

/** Returns digests of the private state of changed objects. */
export function digestsOf({ changes }: StackRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...changes.values()].flat().flatMap(({ change, prior }) => {
      if (!prior || change.action === "no-op") return [];
      const { address, deposed } = change;
      const key = deposed === undefined ? address : `${address} (${deposed})`;
      return [[key, digestOf(JSON.stringify(prior.private))]];
    }),
  );
}
