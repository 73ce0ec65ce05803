import { referencesOf, referredNodes, type ConfigurationNode } from "../graph/configuration";
import type { Reference } from "../expressions/reference";
import type { PreparedChange } from "../plan/prepared";
import type { Planning } from "../plan/run";

/**
 * Returns the changes of objects for which the state records `create_before_destroy` in this apply:
 * of blocks that set it, and of the objects that such a change refers to, transitively. A plan
 * decides the same for whole blocks; an apply does so for the instances that references name.
 */
export function createdFirst({ runs }: Pick<Planning, "runs">): ReadonlySet<PreparedChange> {
  const found = new Set<PreparedChange>();
  for (const { context, changes } of runs.values()) {
    const reached = new Set<ConfigurationNode>();
    const take = (node: ConfigurationNode, applied: readonly PreparedChange[]) => {
      reached.add(node);
      for (const change of applied) found.add(change);
    };
    const appliedOf = (address: string) => (changes.get(address) ?? []).filter(isApplied);
    for (const node of context.nodes.resources.values()) {
      const applied = appliedOf(node.address);
      const isDeclared = node.config.lifecycle.createBeforeDestroy;
      if (isDeclared && applied.length > 0) take(node, applied);
    }
    // `reached` grows during the loop.
    for (const node of reached) {
      for (const reference of referencesOf(context.config, node)) {
        for (const referred of referredNodes(context.nodes, [reference])) {
          const applied = referred.kind === "resource" ? appliedOf(referred.address) : [];
          take(referred, namedBy(reference, applied));
        }
      }
    }
  }
  return found;
}

/** Reports whether the apply visits an object: also one that does not change, for its conditions. */
function isApplied({ change: { action }, target: { config } }: PreparedChange): boolean {
  if (action !== "no-op") return true;
  const { preconditions = [], postconditions = [] } = config?.lifecycle ?? {};
  return preconditions.length + postconditions.length > 0;
}

/** Returns the change of the instance that a reference names, or else all of them. */
function namedBy(
  { indexed, path: [key] }: Reference,
  changes: readonly PreparedChange[],
): readonly PreparedChange[] {
  const named = indexed ? changes.filter(({ target }) => target.instance.key === key) : [];
  return named.length > 0 ? named : changes;
}
