import { errorAt, providerKey, type Reference, type EvaluationScope } from "../../language";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { mark, marksWithin } from "../../core/marks";
import { isObjectValue, UNKNOWN } from "../../core/values";
import { validateAssertions, validateConditions } from "../evaluation/conditions";
import { missingProvider, selectProvider } from "../evaluation/providers";
import { declaredOutputs, remoteStateValue, type RemoteState } from "../evaluation/remote-state";
import { repeat } from "../evaluation/repetition";
import type { StackValues } from "../evaluation/stack-values";
import { checkVariable } from "../evaluation/variables";
import {
  REMOTE_STATE,
  triggerReferences,
  type ConfigurationNode,
  type EphemeralNode,
  type OutputNode,
  type ProviderNode,
  type ResourceNode,
} from "../graph/configuration";
import { resourceSchema, type StackContext } from "../graph/stack-context";
import { checkDeclared } from "./check-references";
import { plainSecrets } from "./plain-secrets";
import type { UnknownVariables } from "./unknown-variables";
import { validateResource } from "./validate-resource";

/** A stack while it is validated. */
export interface Validated {
  readonly context: StackContext;
  readonly scope: StackValues;
  /** By the provider's key; undefined where its configuration is not known yet, or faulty. */
  readonly connections: Map<string, unknown>;
  readonly unknown: UnknownVariables;
  /** The first resource of each place that objects of a console share; see `placeOf`. */
  readonly places: Map<string, string>;
}

/** Evaluates and checks a node, and sets its value for the nodes after it. */
export function validateNode(
  node: Exclude<ConfigurationNode, ProviderNode>,
  stack: Validated,
  contexts: ReadonlyMap<string, StackContext>,
  partial: boolean,
): readonly Diagnostic[] {
  const { scope } = stack;
  switch (node.kind) {
    case "variable": {
      const { results, diagnostics } = checkVariable(node.config, scope);
      // A variable that is not needed may be invalid. The plan reports the others.
      return partial ? results.flatMap((one) => one.diagnostics) : diagnostics;
    }
    case "local": {
      const { value, diagnostics } = node.expression.evaluate(scope);
      scope.setLocal(node.name, value);
      return diagnostics;
    }
    case "check":
      return validateAssertions(node.config.assertions, scope);
    case "ephemeral":
      return validateBlock(node, stack);
    case "output":
      return validateOutput(node, stack);
    case "resource":
      return node.config.type === REMOTE_STATE
        ? validateRemoteState(node, stack, partial ? new Map() : contexts)
        : validateBlock(node, stack);
  }
}

/** Configures a provider, and checks its block. */
export async function validateProvider(
  node: ProviderNode,
  { context, scope, connections }: Validated,
  isAlone: boolean,
): Promise<readonly Diagnostic[]> {
  const { config, providers } = context;
  const { block } = node;
  if (block && block.name !== "terraform" && !selectProvider(config, block.name, providers)) {
    return [missingProvider(block, block.name, config, providers)];
  }
  const { connection, diagnostics } = await context.connections.configure(node, scope);
  connections.set(node.key, connection?.connection);
  if (!block) return [];
  const selected = selectProvider(config, block.name, providers);
  return [
    // Warnings come with the plan, and so does all that a provider without a block lacks.
    ...diagnostics.filter(
      // The environment may set an attribute that the block lacks.
      ({ severity, path }) =>
        severity === "error" && (!isAlone || block.body.has(String(path?.[0]))),
    ),
    ...(selected
      ? plainSecrets(
          block.body,
          selected.provider.definition.configuration,
          block.where,
          (attribute) => attribute.sensitive === true,
        )
      : []),
  ];
}

function validateBlock(
  node: ResourceNode | EphemeralNode,
  stack: Validated,
): readonly Diagnostic[] {
  const { context, scope, connections, unknown } = stack;
  const { config, address } = node;
  const selected = resourceSchema(context, config);
  const references = checkReferences(config, scope);
  if ("problem" in selected) return [selected.problem, ...references];
  const repetition = repeat(config, scope);
  const connection = connections.get(providerKey(config.provider));
  const { provider } = selected.provider;
  const found = validateResource(config, selected, scope, (body) => [
    ...context.validations.validate(provider, config, body, connection),
    ...(config.mode === "managed" && isObjectValue(body.value)
      ? checkPlace(config, provider.placeOf(config.type, body.value), stack)
      : []),
  ]);
  // Warnings about values that Terraform does not know here come with the plan.
  const diagnostics = unknown.isUnknown(node)
    ? found.filter(({ severity }) => severity === "error")
    : found;
  // References are checked by the schema. In expressions, the type of an object is open.
  scope.set(address, mark(UNKNOWN, { ephemeral: config.mode === "ephemeral" }));
  return [...references, ...repetition.diagnostics, ...diagnostics];
}

/** Reports a resource that manages what another one of the console does. */
function checkPlace(
  { where, address, provider }: ResourceNode["config"],
  place: string | undefined,
  { places }: Validated,
): readonly Diagnostic[] {
  if (place === undefined) return [];
  const key = JSON.stringify([providerKey(provider), place]);
  const rival = places.get(key);
  places.set(key, rival ?? address);
  if (rival === undefined || rival === address) return [];
  const detail = `${rival} manages ${place} too, and each of the two would undo the changes of the other. Move all of it into one resource, or use another provider.`;
  return [errorAt(where, "Already managed by another resource", detail)];
}

function checkReferences(
  config: ResourceNode["config"] | EphemeralNode["config"],
  scope: EvaluationScope,
): readonly Diagnostic[] {
  const { where, dependsOn } = config;
  const named = (references: readonly Reference[], ...path: readonly string[]) =>
    checkDeclared(references, scope, { ...where, path });
  return [
    ...named(dependsOn, "depends_on"),
    ...named(triggerReferences(config), "lifecycle", "replace_triggered_by"),
  ];
}

/**
 * Checks a terraform_remote_state. Its outputs are unknown, as in Terraform, but for their names where
 * the plan makes them.
 *
 * @param planned The stacks whose outputs are planned in this run.
 */
function validateRemoteState(
  { config, address }: ResourceNode,
  { context: { remoteStates }, scope }: Validated,
  planned: ReadonlyMap<string, StackContext>,
): readonly Diagnostic[] {
  const outputsFrom = (source: RemoteState) => {
    const upstream = source.kind === "selected" ? planned.get(source.stack) : undefined;
    return upstream ? declaredOutputs(upstream.config.outputs) : UNKNOWN;
  };
  const instances = remoteStates.get(address) ?? [];
  // Errors of its arguments were reported when its sources were found.
  scope.set(address, remoteStateValue(config, instances, scope, outputsFrom).value);
  return checkReferences(config, scope);
}

function validateOutput(node: OutputNode, { scope, unknown }: Validated): readonly Diagnostic[] {
  const { config } = node;
  const conditions = [
    ...checkDeclared(config.dependsOn, scope, { ...config.where, path: ["depends_on"] }),
    ...validateConditions(config.preconditions, scope),
    ...unknown.alwaysFailing(node),
  ];
  // The value may rely on its preconditions.
  if (hasErrors(conditions)) return conditions;
  const { value, diagnostics } = config.value.evaluate(scope);
  return [...conditions, ...diagnostics, ...checkOutputMarks(config, mark(value, {}))];
}

/** Checks that secrets leave a stack by sensitive outputs only, and ephemeral values never. */
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
