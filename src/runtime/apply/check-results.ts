import type { Evaluated } from "../expressions/evaluated";
import { checkResults, type Reached } from "../plan/checks";
import type { StackRun } from "../plan/run";
import type { Json } from "../state/json";
import type { InstanceKey } from "../state/state";
import type { Applying } from "./applying";

/** The results of all conditions after an apply, in the format of the state. */
export function storedCheckResults(run: StackRun, applying: Applying): Json {
  const { mode } = applying.planning.options;
  const outputs = applying.outputs.get(run.name) ?? new Set();
  const reached: Reached =
    mode === "refresh-only"
      ? { outputs }
      : { outputs, instance: (address, key) => reachedInstance(run, applying, address, key) };
  return checkResults(run, mode !== "destroy", reached);
}

function reachedInstance(
  run: StackRun,
  { values }: Applying,
  address: string,
  key: InstanceKey | undefined,
): Evaluated | undefined {
  const found = run.changes.get(address)?.find(({ instance }) => instance.key === key);
  return found && values.get(found);
}
