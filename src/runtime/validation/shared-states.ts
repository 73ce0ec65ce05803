import type { Environment } from "../../core/environment";
import { error, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import { type StackConfig, stateIdentity } from "../../language";

/**
 * Reports stacks with one state: each of them would destroy what the others made. Nothing is read from
 * a backend.
 */
export function sharedStates(
  configs: readonly StackConfig[],
  environment: Environment,
): readonly Diagnostic[] {
  const placed = configs.flatMap((config) => {
    const identity = stateIdentity(config.backend, { ...config, environment });
    return identity === undefined ? [] : [{ name: config.name, identity }];
  });
  return groupBy(placed, ({ identity }) => identity)
    .filter((group) => group.length > 1)
    .map((group) => {
      const names = group.map(({ name }) => JSON.stringify(name)).join(", ");
      return error(
        "Stacks with one state",
        `The stacks ${names} store their state in the same place, ${group[0].identity}. Each of them would plan to destroy the objects of the others. Give each stack its own path, key or workspace in its backend.`,
      );
    });
}
