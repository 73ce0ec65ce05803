import { compareStrings } from "../../provider/values";
import {
  referredNodes,
  resourceReferences,
  type ConfigurationGraph,
  type ConfigurationNode,
  type EphemeralNode,
  type ResourceNode,
} from "./configuration";

/** What follows from the configuration's graph as a whole; computed once a run. */
export class Dependencies {
  private readonly transitive = new Map<
    ConfigurationNode,
    ReadonlySet<ResourceNode | EphemeralNode>
  >();
  private readonly replacedFirst = new Set<ResourceNode>();

  constructor(private readonly configuration: ConfigurationGraph) {
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
      this.replacedFirst.add(node);
      for (const dependency of this.of(node)) this.replacedFirst.add(dependency);
    }
  }

  /** The resources and data sources of its stack that a node depends on, at any distance. */
  of(node: ConfigurationNode): ReadonlySet<ResourceNode> {
    const resources = new Set<ResourceNode>();
    for (const block of this.transitive.get(node) ?? []) {
      if (block.kind === "resource") resources.add(block);
    }
    return resources;
  }

  /** The same as state records them, ephemeral resources among them: sorted addresses. */
  addresses(node: ConfigurationNode): readonly string[] {
    const blocks = this.transitive.get(node) ?? [];
    return [...blocks].map(({ address }) => address).sort(compareStrings);
  }

  /** The sorted addresses of those with no other resource between them and the node. */
  direct(node: ConfigurationNode): readonly string[] {
    const reached = new Set([node]);
    const resources = new Set<string>();
    // Grows while it is walked.
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
   * What a data source waits for while it has changes to come, as Terraform has it: what the block
   * itself names, and what stands behind a local value in its `depends_on`. What is only reached
   * through another resource, or through a local value elsewhere, must be known and is not waited
   * for. With conditions, which a change may be what it takes to meet, it is all at any distance.
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
   * Whether a replacement is created before the old object goes: where the block says so, and where
   * something that depends on it says so, because the old dependent still needs the old object.
   */
  createsBeforeDestroy(node: ResourceNode): boolean {
    return this.replacedFirst.has(node);
  }
}

function isBlock(node: ConfigurationNode): node is ResourceNode | EphemeralNode {
  return node.kind === "resource" || node.kind === "ephemeral";
}
