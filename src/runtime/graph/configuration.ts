import {
  type Body,
  type CheckConfig,
  type Condition,
  type EphemeralConfig,
  type Expression,
  formatSubject,
  importsOf,
  type OutputConfig,
  type ProviderBlock,
  providerKey,
  provisionerReferences,
  type Reference,
  referencesIn,
  type ResourceConfig,
  type StackConfig,
  type VariableConfig,
} from "../../language";
import { onceForEach } from "../../core/alike";
import { Graph } from "./graph";

/** A block of a stack. Walks over the configuration visit these. */
export type ConfigurationNode =
  ProviderNode | ResourceNode | EphemeralNode | VariableNode | LocalNode | OutputNode | CheckNode;

export interface ProviderNode {
  readonly kind: "provider";
  readonly stack: string;
  /** `cwp` or `cwp.alias`. */
  readonly key: string;
  /** Absent if no block configures the provider. */
  readonly block?: ProviderBlock;
}

interface BlockNode<Kind, Config> {
  readonly kind: Kind;
  readonly stack: string;
  readonly address: string;
  readonly config: Config;
}

/** A resource or a data source, with all its instances. */
export type ResourceNode = BlockNode<"resource", ResourceConfig>;

/** An ephemeral resource, with all its instances. */
export type EphemeralNode = BlockNode<"ephemeral", EphemeralConfig>;

/** A variable with validations. */
export interface VariableNode {
  readonly kind: "variable";
  readonly stack: string;
  readonly name: string;
  readonly config: VariableConfig;
}

export interface LocalNode {
  readonly kind: "local";
  readonly stack: string;
  readonly name: string;
  readonly expression: Expression;
}

export interface OutputNode {
  readonly kind: "output";
  readonly stack: string;
  readonly name: string;
  readonly config: OutputConfig;
}

export interface CheckNode {
  readonly kind: "check";
  readonly stack: string;
  readonly name: string;
  readonly config: CheckConfig;
}

/** The nodes of one stack by the names that references use. */
export interface StackNodes {
  readonly providers: Map<string, ProviderNode>;
  readonly resources: Map<string, ResourceNode>;
  readonly ephemerals: Map<string, EphemeralNode>;
  readonly variables: Map<string, VariableNode>;
  readonly locals: Map<string, LocalNode>;
  readonly outputs: Map<string, OutputNode>;
  readonly checks: Map<string, CheckNode>;
}

export interface ConfigurationGraph {
  readonly graph: Graph<ConfigurationNode>;
  readonly stacks: ReadonlyMap<string, StackNodes>;
}

/** The built-in data source that reads another stack's outputs; it has no provider here. */
export const REMOTE_STATE = "terraform_remote_state";

/**
 * Builds one graph over all selected stacks. Undeclared references add no edge: validation reports
 * them.
 *
 * @param upstream Returns the selected stacks whose outputs a terraform_remote_state reads.
 */
export function configurationGraph(
  stacks: readonly StackConfig[],
  upstream: (stack: string, remoteState: ResourceConfig) => readonly string[],
): ConfigurationGraph {
  const graph = new Graph<ConfigurationNode>();
  const nodes = new Map(stacks.map((stack) => [stack.name, nodesOf(stack)]));
  for (const stack of stacks) {
    const own = nodes.get(stack.name);
    if (!own) continue;
    // Added first: walks visit independent nodes in this order.
    for (const node of allNodes(own)) graph.add(node);
    for (const node of allNodes(own)) {
      connectAll(graph, own, node, blockReferences(stack, node));
      const provider = providerOf(own, node);
      if (provider) graph.connect(node, provider);
      if (node.kind !== "resource" || node.config.type !== REMOTE_STATE) continue;
      for (const name of upstream(node.stack, node.config)) {
        for (const output of nodes.get(name)?.outputs.values() ?? []) graph.connect(node, output);
      }
    }
  }
  return { graph, stacks: nodes };
}

/** All blocks of a stack. */
export function allNodes(own: StackNodes): readonly ConfigurationNode[] {
  return [
    ...own.providers.values(),
    ...own.resources.values(),
    ...own.ephemerals.values(),
    ...own.variables.values(),
    ...own.locals.values(),
    ...own.outputs.values(),
    ...own.checks.values(),
  ];
}

/** Returns all references of a block. */
export function blockReferences(stack: StackConfig, node: ConfigurationNode): readonly Reference[] {
  switch (node.kind) {
    case "resource": {
      const imports = importsOf(stack, node.config);
      return [
        ...resourceReferences(node.config),
        ...imports.flatMap(({ id, forEach, key }) => referencesIn([id, forEach, key])),
      ];
    }
    case "ephemeral":
      return resourceReferences(node.config);
    case "provider":
      return node.block ? bodyReferences(node.block.body) : [];
    case "variable":
      return conditionReferences(node.config.validations);
    case "local":
      return node.expression.references();
    case "output":
      return outputReferences(node.config);
    case "check":
      return conditionReferences(node.config.assertions);
  }
}

/** Returns the provider of a resource; undefined if it has none. */
function providerOf(own: StackNodes, node: ConfigurationNode): ProviderNode | undefined {
  if (node.kind !== "resource" && node.kind !== "ephemeral") return undefined;
  if (node.config.type === REMOTE_STATE) return undefined;
  return own.providers.get(providerKey(node.config.provider));
}

/** Formats a node for errors: `provider.cwp`, `null_resource.a`, `output.id`. */
export function formatNode(node: ConfigurationNode): string {
  switch (node.kind) {
    case "resource":
    case "ephemeral":
      return node.address;
    case "provider":
      return `provider.${node.key}`;
    case "variable":
      return `var.${node.name} (validation)`;
    case "local":
    case "output":
    case "check":
      return `${node.kind}.${node.name}`;
  }
}

/** Returns all references of a resource. */
export function resourceReferences(
  config: ResourceConfig<"managed" | "data" | "ephemeral">,
): readonly Reference[] {
  const { lifecycle } = config;
  return [
    ...bodyReferences(config.body),
    ...referencesIn([config.count, config.forEach]),
    ...config.dependsOn,
    ...triggerReferences(config),
    ...conditionReferences([...lifecycle.preconditions, ...lifecycle.postconditions]),
    ...config.provisioners.flatMap(provisionerReferences),
  ];
}

/** Returns the resources of `replace_triggered_by`. */
export function triggerReferences({
  lifecycle,
}: Pick<ResourceConfig, "lifecycle">): readonly Reference[] {
  return lifecycle.replaceTriggeredBy.map(({ subject }) => ({ subject, path: [], indexed: false }));
}

function outputReferences(config: OutputConfig): readonly Reference[] {
  return [
    ...config.value.references(),
    ...config.dependsOn,
    ...conditionReferences(config.preconditions),
  ];
}

/** Returns the blocks of references; of variables, those with validations. */
export function referredNodes(
  own: StackNodes,
  references: readonly Reference[],
): readonly (ResourceNode | EphemeralNode | VariableNode | LocalNode)[] {
  return references.flatMap(({ subject }) => {
    if (subject.kind === "ephemeral") return own.ephemerals.get(formatSubject(subject)) ?? [];
    if (subject.kind === "resource") return own.resources.get(formatSubject(subject)) ?? [];
    if (subject.kind === "variable") return own.variables.get(subject.name) ?? [];
    return subject.kind === "local" ? (own.locals.get(subject.name) ?? []) : [];
  });
}

/** Returns the references of the attributes of a block. */
export const bodyReferences = onceForEach((body: Body) => referencesIn(body.values()));

export function conditionReferences(conditions: readonly Condition[]): readonly Reference[] {
  return conditions.flatMap(({ condition, errorMessage }) =>
    referencesIn([condition, errorMessage]),
  );
}

function nodesOf(stack: StackConfig): StackNodes {
  const { name } = stack;
  const resources = mapped([...stack.resources, ...stack.dataSources], (address, config) => {
    return { kind: "resource" as const, stack: name, address, config };
  });
  const ephemerals = mapped(stack.ephemerals, (address, config) => {
    return { kind: "ephemeral" as const, stack: name, address, config };
  });
  const validated = [...stack.variables].filter(([, config]) => config.validations.length > 0);
  const variables = mapped(validated, (variable, config) => {
    return { kind: "variable" as const, stack: name, name: variable, config };
  });
  const locals = mapped(stack.locals, (local, expression) => {
    return { kind: "local" as const, stack: name, name: local, expression };
  });
  const outputs = mapped(stack.outputs, (output, config) => {
    return { kind: "output" as const, stack: name, name: output, config };
  });
  const checks = mapped(stack.checks, (check, config) => {
    return { kind: "check" as const, stack: name, name: check, config };
  });
  const providers = mapped(stack.providers, (key, block): ProviderNode => {
    return { kind: "provider", stack: name, key, block };
  });
  for (const { config } of [...resources.values(), ...ephemerals.values()]) {
    const key = providerKey(config.provider);
    if (config.type === REMOTE_STATE || providers.has(key)) continue;
    providers.set(key, { kind: "provider", stack: name, key });
  }
  return { providers, resources, ephemerals, variables, locals, outputs, checks };
}

function mapped<V, N>(
  blocks: Iterable<readonly [string, V]>,
  nodeOf: (key: string, block: V) => N,
): Map<string, N> {
  return new Map([...blocks].map(([key, block]) => [key, nodeOf(key, block)]));
}

function connectAll(
  graph: Graph<ConfigurationNode>,
  own: StackNodes,
  node: ConfigurationNode,
  references: readonly Reference[],
): void {
  for (const target of referredNodes(own, references)) {
    // A postcondition may name its own resource; validation reports other such references.
    if (target !== node || node.kind === "local") graph.connect(node, target);
  }
}
