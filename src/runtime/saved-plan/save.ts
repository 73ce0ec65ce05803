import { isWhollyKnown, type KnownValue } from "../../provider/values";
import { unmark } from "../expressions/evaluated";
import type { PlanDocument } from "../documents/plan-document";
import type { PlanScope } from "../plan/request";
import type { StackRun } from "../plan/run";
import type { State } from "../state/state";
import { formatState } from "../state/write";
import { digestOf } from "./file";
import type { Basis, SavedPlan } from "./saved-plan";
import { sealValue, type Seal } from "./seal";

/** Builds the saved plan of a stack that is planned and not applied. */
export async function savedPlan(
  run: StackRun,
  document: PlanDocument,
  scope: PlanScope,
): Promise<SavedPlan> {
  const { config, after } = run.context;
  const { settled, ephemeral } = variablesOf(run);
  const sealed: Record<string, Seal> = {};
  // One after the other: each needs 128 MiB of memory.
  for (const [name, value] of ephemeral) sealed[name] = await sealValue(value);
  return {
    stack: {
      name: config.name,
      directory: config.directory,
      dependencies: after,
    },
    configuration: config.json,
    request: {
      mode: scope.mode,
      refresh: scope.refresh,
      replace: [...scope.replace],
      targets: scope.targets.map(({ text }) => text),
    },
    variables: { settled: Object.fromEntries(settled), sealed },
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
