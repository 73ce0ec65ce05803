import { compareStrings } from "../../core/values";
import {
  referredNodes,
  resourceReferences,
  type ConfigurationGraph,
  type ConfigurationNode,
  type EphemeralNode,
  type ResourceNode,
} from "./configuration";

/** The transitive dependencies of a configuration, computed once a run. */
export class Dependencies {
  private readonly transitive = new Map<
    ConfigurationNode,
    ReadonlySet<ResourceNode | EphemeralNode>
  >();
  private readonly replacedFirst = new Set<ResourceNode>();

  /** @param selected The nodes of a plan with targets; Terraform ignores the others. Default: all. */
  constructor(
    private readonly configuration: ConfigurationGraph,
    selected?: ReadonlySet<ConfigurationNode>,
  ) {
    const { graph } = configuration;
    const { ordered } = graph.order();
    for (const node of ordered) {
      const blocks = new Set<ResourceNode | EphemeralNode>();
      for (const dependency of graph.dependencies(node)) {
        if (dependency.stack !== node.stack) continue;
        if (isBlock(dependency)) blocks.add(dependency);
        for (const inherited of this.transitive.get(dependency) ?? []) blocks.add(inherited);
      }
      this.transitive.set(node, blocks);
    }
    for (const node of ordered) {
      if (node.kind !== "resource" || !node.config.lifecycle.createBeforeDestroy) continue;
      if (selected && !selected.has(node)) continue;
      this.replacedFirst.add(node);
      for (const dependency of this.of(node)) this.replacedFirst.add(dependency);
    }
  }

  /** Returns the resources and data sources of its stack that a node depends on, transitively. */
  of(node: ConfigurationNode): ReadonlySet<ResourceNode> {
    const resources = new Set<ResourceNode>();
    for (const block of this.transitive.get(node) ?? []) {
      if (block.kind === "resource") resources.add(block);
    }
    return resources;
  }

  /** Returns the sorted addresses that the state records, with ephemeral resources. */
  addresses(node: ConfigurationNode): readonly string[] {
    const blocks = this.transitive.get(node) ?? [];
    return [...blocks].map(({ address }) => address).sort(compareStrings);
  }

  /** Returns the sorted addresses of direct dependencies, with no other resource between. */
  direct(node: ConfigurationNode): readonly string[] {
    const reached = new Set([node]);
    const resources = new Set<string>();
    // `reached` grows during the loop.
    for (const passed of reached) {
      for (const dependency of this.configuration.graph.dependencies(passed)) {
        if (dependency.stack !== node.stack) continue;
        if (dependency.kind === "resource") resources.add(dependency.address);
        else reached.add(dependency);
      }
    }
    return [...resources].sort(compareStrings);
  }

  /**
   * Returns the resources whose pending changes defer a data source, as in Terraform: those that the
   * block itself names, and those of local values in its `depends_on`. Others, which are reached
   * through another resource or a local value, do not defer it. With conditions, which a change may
   * fulfil, all transitive dependencies do.
   */
  awaitedBy(node: ResourceNode): ReadonlySet<ResourceNode> {
    const { config, stack } = node;
    const { preconditions, postconditions } = config.lifecycle;
    if (preconditions.length + postconditions.length > 0) return this.of(node);
    const own = this.configuration.stacks.get(stack);
    if (!own) return new Set();
    const named = referredNodes(own, resourceReferences(config));
    const locals = referredNodes(own, config.dependsOn).filter(({ kind }) => kind === "local");
    return new Set([
      ...named.filter((found) => found.kind === "resource"),
      ...locals.flatMap((local) => [...this.of(local)]),
    ]);
  }

  /**
   * Reports whether a replacement is created before the old object is destroyed: if the block or a
   * dependent has `create_before_destroy`, because the old dependent still needs the old object.
   */
  createsBeforeDestroy(node: ResourceNode): boolean {
    return this.replacedFirst.has(node);
  }
}

function isBlock(node: ConfigurationNode): node is ResourceNode | EphemeralNode {
  return node.kind === "resource" || node.kind === "ephemeral";
}
