import type { Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import { mark, marksWithin } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import {
  formatNode,
  outputReferences,
  REMOTE_STATE,
  resourceReferences,
  type ConfigurationGraph,
  type ConfigurationNode,
  type OutputNode,
  type ProviderNode,
  type ResourceNode,
} from "../graph/configuration";
import { sensitivePaths, unknownObject } from "./attributes";
import { conformBody } from "./conform";
import { resourceSchema, type StackContext } from "./context";
import { errorAt, locate } from "./located";
import { selectProvider } from "./providers";
import { checkDeclared, checkRepeatedReferences, type Declared } from "./references";
import { declaredOutputs, remoteStateObject } from "./remote-state";
import { repeat } from "./repetition";
import { validateResource } from "./validate-resource";
import { StackValues } from "./stack-values";

/**
 * Evaluates and checks everything that is configured, with every attribute of a resource unknown:
 * all that can be told without looking at a state or a console.
 */
export function validateStacks(
  { graph, stacks: nodes }: ConfigurationGraph,
  contexts: ReadonlyMap<string, StackContext>,
): readonly Diagnostic[] {
  const { ordered, cyclic } = graph.order();
  const cycles = graph.cycles().map((cycle) => describeCycle(cycle, nodes.size > 1));
  const values = new Map<string, StackValues>();
  for (const [name, { config, variables }] of contexts) {
    values.set(name, new StackValues(config, variables));
  }
  // What is on a cycle, or behind one, is looked at too: what it waits for is unknown.
  const found = [...ordered, ...cyclic].flatMap((node) => {
    const context = contexts.get(node.stack);
    const scope = values.get(node.stack);
    return context && scope ? validateNode(node, context, scope, contexts) : [];
  });
  return [...cycles, ...found];
}

function validateNode(
  node: ConfigurationNode,
  context: StackContext,
  scope: StackValues,
  contexts: ReadonlyMap<string, StackContext>,
): readonly Diagnostic[] {
  switch (node.kind) {
    case "provider":
      return validateProvider(node, context, scope);
    case "local": {
      const { value, diagnostics } = node.expression.evaluate(scope);
      scope.setLocal(node.name, value);
      const { where } = node.expression;
      const references = node.expression.references();
      return [...diagnostics, ...checkRepeatedReferences(references, declared(context), where)];
    }
    case "output":
      return validateOutput(node, context, scope);
    case "resource":
      return node.config.type === REMOTE_STATE
        ? validateRemoteState(node, context, scope, contexts)
        : validateBlock(node, context, scope);
  }
}

function validateProvider(
  { key, block }: ProviderNode,
  { config, providers }: StackContext,
  scope: Scope,
): readonly Diagnostic[] {
  const [name = key] = key.split(".");
  const selected = selectProvider(config, name, providers);
  // Its resources tell that the provider is not supported; a block alone does no harm.
  if (!selected || !block) return [];
  const { definition } = selected.provider;
  const body = conformBody(block.body, definition.configuration, scope, block.where, {
    ephemeral: true,
  });
  const invalid = selected.provider.validateConfiguration(body.value);
  return [...body.diagnostics, ...locate(invalid, block.where)];
}

function validateBlock(
  node: ResourceNode,
  context: StackContext,
  scope: StackValues,
): readonly Diagnostic[] {
  const { config, address } = node;
  const selected = resourceSchema(context, config);
  const references = [
    ...checkRepeatedReferences(resourceReferences(config), declared(context), config.where),
    ...checkDeclared(
      [...config.dependsOn, ...config.lifecycle.replaceTriggeredBy],
      declared(context),
      config.where,
    ),
  ];
  if ("problem" in selected) return [selected.problem, ...references];
  const repetition = repeat(config, scope);
  const { marks, diagnostics } = validateResource(config, selected, scope);
  const repeated = config.count ?? config.forEach;
  const { attributes } = selected;
  scope.setResource(
    address,
    repeated ? UNKNOWN : unknownObject(attributes, sensitivePaths(attributes, {}, marks)),
  );
  return [...references, ...repetition.diagnostics, ...diagnostics];
}

function validateRemoteState(
  { config, address }: ResourceNode,
  { remoteStates }: StackContext,
  scope: StackValues,
  contexts: ReadonlyMap<string, StackContext>,
): readonly Diagnostic[] {
  const remote = remoteStates.get(address);
  const upstream = remote?.kind === "selected" ? contexts.get(remote.stack) : undefined;
  const outputs =
    remote?.kind === "stored"
      ? remote.outputs
      : upstream
        ? declaredOutputs(upstream.config.outputs)
        : UNKNOWN;
  // Its arguments were evaluated when it was looked for.
  scope.setResource(address, remoteStateObject(config, scope, outputs).value);
  return [];
}

function validateOutput(
  { config }: OutputNode,
  context: StackContext,
  scope: Scope,
): readonly Diagnostic[] {
  const { value, diagnostics } = config.value.evaluate(scope);
  return [
    ...diagnostics,
    ...checkRepeatedReferences(outputReferences(config), declared(context), config.where),
    ...checkDeclared(config.dependsOn, declared(context), config.where),
    ...checkOutputMarks(config, mark(value, {})),
  ];
}

/** A secret may leave a stack only where the output says so, an ephemeral value never. */
export function checkOutputMarks(
  { name, sensitive, where }: OutputNode["config"],
  value: Parameters<typeof marksWithin>[0],
): readonly Diagnostic[] {
  const marks = marksWithin(value);
  if (marks.ephemeral) {
    return [
      errorAt(
        where,
        "Ephemeral value not allowed",
        `The value of output "${name}" is ephemeral, and the outputs of a stack are kept in its state.`,
      ),
    ];
  }
  if (!marks.sensitive || sensitive) return [];
  return [
    errorAt(
      where,
      "Output refers to sensitive values",
      `To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, any root module output containing sensitive data must be explicitly marked as sensitive, to confirm your intent. Set sensitive = true on output "${name}", or wrap its value in nonsensitive().`,
    ),
  ];
}

function declared(context: StackContext): Declared {
  const { config } = context;
  return {
    config,
    attributesOf: (address) => {
      const block = config.resources.get(address) ?? config.dataSources.get(address);
      if (!block || block.type === REMOTE_STATE) return undefined;
      const selected = resourceSchema(context, block);
      return "problem" in selected ? undefined : selected.attributes;
    },
  };
}

function describeCycle(cycle: readonly ConfigurationNode[], several: boolean): Diagnostic {
  const [first] = cycle;
  const steps = first ? [...cycle, first] : cycle;
  const path = steps.map((node) => (several ? `${node.stack}: ` : "") + formatNode(node));
  return {
    severity: "error",
    summary: "Cycle",
    detail: `Each of these refers to the next one, and the last one to the first: ${path.join(" → ")}. Take one of the references out.`,
    ...(first && { address: formatNode(first) }),
  };
}
