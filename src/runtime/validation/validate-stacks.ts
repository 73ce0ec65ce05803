import type { Environment } from "../../provider/definitions/provider-definition";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import { providerKey } from "../config/provider-blocks";
import { mark, marksWithin } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import {
  formatNode,
  referencesIn,
  outputReferences,
  REMOTE_STATE,
  resourceReferences,
  type ConfigurationGraph,
  type ConfigurationNode,
  type EphemeralNode,
  type OutputNode,
  type ProviderNode,
  type ResourceNode,
} from "../graph/configuration";
import { sensitivePaths, unknownObject } from "../evaluation/attributes";
import { validateConditions } from "../evaluation/conditions";
import { conformBody } from "../evaluation/conform";
import { resourceSchema, type StackContext } from "../graph/stack-context";
import { errorAt, locate } from "../config/located";
import { selectEphemeral, selectProvider, type SelectedProvider } from "../evaluation/providers";
import {
  checkDeclared,
  checkRepeatedReferences,
  checkSelfReferences,
  type Declared,
} from "./check-references";
import { declaredOutputs, remoteStateObject } from "../evaluation/remote-state";
import { repeat } from "../evaluation/repetition";
import { unknownSurroundings, validateResource } from "./validate-resource";
import { StackValues, within } from "../evaluation/stack-values";

/** What validation has found out of a stack so far. */
interface Validated {
  readonly scope: StackValues;
  /** By the provider's key; none where its configuration is not known yet, or faulty. */
  readonly connections: Map<string, Pick<SelectedProvider, "provider"> & { connection: unknown }>;
}

/**
 * Evaluates and checks everything that is configured, with every attribute of a resource unknown:
 * all that can be told without looking at a state or a console. Providers are configured for it,
 * with `environment`, since what a resource may say can depend on that; none connects.
 */
export async function validateStacks(
  { graph, stacks: nodes }: ConfigurationGraph,
  contexts: ReadonlyMap<string, StackContext>,
  environment: Environment,
): Promise<readonly Diagnostic[]> {
  const { ordered, cyclic } = graph.order();
  const found = graph.cycles().map((cycle) => describeCycle(cycle, nodes.size > 1));
  const validated = new Map<string, Validated>();
  for (const [name, { config, variables, providers }] of contexts) {
    validated.set(name, {
      scope: new StackValues(config, variables, providers),
      connections: new Map(),
    });
  }
  try {
    // What is on a cycle, or behind one, is looked at too: what it waits for is unknown.
    for (const node of [...ordered, ...cyclic]) {
      const context = contexts.get(node.stack);
      const stack = validated.get(node.stack);
      if (!context || !stack) continue;
      found.push(
        ...(node.kind === "provider"
          ? await validateProvider(node, context, stack, environment)
          : validateNode(node, context, stack, contexts)),
      );
    }
    return found;
  } finally {
    const connections = [...validated.values()].flatMap((stack) => [...stack.connections.values()]);
    await Promise.all(connections.map(({ provider, connection }) => provider.close(connection)));
  }
}

function validateNode(
  node: Exclude<ConfigurationNode, ProviderNode>,
  context: StackContext,
  { scope, connections }: Validated,
  contexts: ReadonlyMap<string, StackContext>,
): readonly Diagnostic[] {
  switch (node.kind) {
    case "local": {
      const { value, diagnostics } = node.expression.evaluate(scope);
      scope.setLocal(node.name, value);
      const { where } = node.expression;
      const references = node.expression.references();
      return [...diagnostics, ...checkRepeatedReferences(references, declared(context), where)];
    }
    case "ephemeral":
      return validateEphemeral(node, context, scope);
    case "output":
      return validateOutput(node, context, scope);
    case "resource":
      return node.config.type === REMOTE_STATE
        ? validateRemoteState(node, context, scope, contexts)
        : validateBlock(node, context, scope, connections);
  }
}

async function validateProvider(
  { key, block }: ProviderNode,
  { config, providers }: StackContext,
  { scope, connections }: Validated,
  environment: Environment,
): Promise<readonly Diagnostic[]> {
  const [name = key] = key.split(".");
  const selected = selectProvider(config, name, providers);
  // Its resources tell that the provider is not supported; a block alone does no harm.
  if (!selected || !block) return [];
  const { provider } = selected;
  const body = conformBody(block.body, provider.definition.configuration, scope, block.where, {
    ephemeral: true,
  });
  const invalid = locate(provider.validateConfiguration(body.value), block.where);
  const found = [...body.diagnostics, ...invalid];
  if (hasErrors(found)) return found;
  const { connection, diagnostics } = await provider.configure(
    body.value,
    environment,
    undefined,
    config.directory,
  );
  if (connection !== undefined) connections.set(key, { provider, connection });
  // Its warnings come with the plan, which configures it again.
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return [...found, ...locate(errors, block.where)];
}

function validateBlock(
  node: ResourceNode,
  context: StackContext,
  scope: StackValues,
  connections: Validated["connections"],
): readonly Diagnostic[] {
  const { config, address } = node;
  const selected = resourceSchema(context, config);
  const references = [
    ...checkRepeatedReferences(resourceReferences(config), declared(context), config.where),
    ...checkDeclared(config.dependsOn, declared(context), {
      ...config.where,
      path: ["depends_on"],
    }),
    ...checkDeclared(config.lifecycle.replaceTriggeredBy, declared(context), {
      ...config.where,
      path: ["lifecycle", "replace_triggered_by"],
    }),
  ];
  if ("problem" in selected) return [selected.problem, ...references];
  const repetition = repeat(config, scope);
  const { connection } = connections.get(providerKey(config.provider)) ?? {};
  const { marks, diagnostics } = validateResource(config, selected, scope, connection);
  const repeated = config.count ?? config.forEach;
  const { attributes } = selected;
  scope.setResource(
    address,
    repeated ? UNKNOWN : unknownObject(attributes, sensitivePaths(attributes, {}, marks)),
  );
  return [...references, ...repetition.diagnostics, ...diagnostics];
}

function validateEphemeral(
  { config, address }: EphemeralNode,
  context: StackContext,
  scope: StackValues,
): readonly Diagnostic[] {
  const selected = selectEphemeral(context.config, config, context.providers);
  if ("problem" in selected) return [selected.problem];
  const { attributes, provider } = selected;
  const { where, type } = config;
  const repetition = repeat(config, scope);
  const inside = within(scope, unknownSurroundings(config));
  const body = conformBody(config.body, attributes, inside, where, { ephemeral: true });
  const unknown = unknownObject(attributes);
  const value = config.count || config.forEach ? UNKNOWN : unknown;
  scope.setEphemeral(address, mark(value, { ephemeral: true }));
  const after = within(inside, { self: mark(unknown, { ephemeral: true }) });
  return [
    ...repetition.diagnostics,
    ...body.diagnostics,
    ...locate(provider.provider.ephemeralResources.validate(type, body.value), where),
    ...checkSelfReferences(referencesIn(config.body.values()), address, where),
    ...checkDeclared(config.dependsOn, declared(context), { ...where, path: ["depends_on"] }),
    ...validateConditions(config.lifecycle.preconditions, inside),
    ...validateConditions(config.lifecycle.postconditions, after),
  ];
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
    ...checkDeclared(config.dependsOn, declared(context), {
      ...config.where,
      path: ["depends_on"],
    }),
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
