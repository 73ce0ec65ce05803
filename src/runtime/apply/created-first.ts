import { blockReferences, referredNodes, type ConfigurationNode } from "../graph/configuration";
import type { ResourceChange } from "../../core/documents/stack-plan";
import type { Planning } from "../plan/run";
import { isApplied, namedBy } from "./steps";

/**
 * Returns the changes of objects for which the state records `create_before_destroy` in this apply:
 * of blocks that set it, and of the objects that such a block refers to, transitively. A plan decides
 * the same for whole blocks that are targeted. An apply, as in Terraform, does so for the instances
 * that references name, and for blocks that are not targeted or do not change too.
 */
export function createdFirst({ runs }: Pick<Planning, "runs">): ReadonlySet<ResourceChange> {
  const found = new Set<ResourceChange>();
  for (const { context, changes } of runs.values()) {
    const appliedOf = (address: string) =>
      (changes.get(address) ?? []).filter(isApplied).map((change) => ({ change }));
    const declared = [...context.nodes.resources.values()].filter(
      ({ config }) => config.lifecycle.createBeforeDestroy,
    );
    for (const { address } of declared)
      for (const { change } of appliedOf(address)) found.add(change.change);
    const reached = new Set<ConfigurationNode>(declared);
    // `reached` grows during the loop.
    for (const node of reached) {
      for (const reference of blockReferences(context.config, node)) {
        for (const referred of referredNodes(context.nodes, [reference])) {
          reached.add(referred);
          const applied = referred.kind === "resource" ? appliedOf(referred.address) : [];
          for (const { change } of namedBy(reference, applied)) found.add(change.change);
        }
      }
    }
  }
  return found;
}
