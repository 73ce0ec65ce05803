import { errorAt, formatSubject, type StackConfig } from "../../language";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { StackValues } from "../evaluation/stack-values";
import {
  blockReferences,
  formatNode,
  REMOTE_STATE,
  type ConfigurationGraph,
  type ConfigurationNode,
} from "../graph/configuration";
import { resourceSchema, type StackContext } from "../graph/stack-context";
import { validateImport } from "../refactoring/imports";
import { resourceProblem, type Declared } from "./check-references";
import { UnknownVariables } from "./unknown-variables";
import { validateNode, validateProvider, type Validated } from "./validate-node";
import { validateRemoval } from "./validate-resource";

/**
 * Evaluates and checks the whole configuration, with every attribute of a resource unknown: all that
 * can be checked without a state and without a console. Providers are configured for it, since what
 * a resource accepts may depend on that; none connects.
 */
export async function validateStacks(
  { graph, stacks: nodes }: ConfigurationGraph,
  contexts: ReadonlyMap<string, StackContext>,
  {
    partial = false,
    stateless = false,
  }: { readonly partial?: boolean; readonly stateless?: boolean } = {},
): Promise<{
  readonly diagnostics: readonly Diagnostic[];
  /** Those of single stacks, by name. */
  readonly ofStacks: ReadonlyMap<string, readonly Diagnostic[]>;
}> {
  const { ordered, cyclic } = graph.order();
  const diagnostics = graph.cycles().map((cycle) => describeCycle(cycle, nodes.size > 1));
  const ofStacks = new Map([...contexts.keys()].map((name): [string, Diagnostic[]] => [name, []]));
  const validated = new Map<string, Validated>();
  for (const [name, context] of contexts) {
    const { config, variables, providers } = context;
    const scope = new StackValues(config, variables, providers);
    const blocks = declared(context);
    scope.problemOf = (reference) => resourceProblem(reference, blocks);
    const unknown = new UnknownVariables(context);
    validated.set(name, { context, scope, connections: new Map(), unknown, places: new Map() });
  }
  // Nodes on a cycle, or behind one, are checked too: what they wait for is unknown.
  for (const node of [...ordered, ...cyclic]) {
    const [stack, found] = [validated.get(node.stack), ofStacks.get(node.stack)];
    if (!stack || !found) continue;
    found.push(...checkScopes(stack.context.config, node));
    const own =
      node.kind === "provider"
        ? await validateProvider(node, stack, stateless)
        : validateNode(node, stack, contexts, partial);
    const problems = stack.unknown.problemsOf(node);
    // Blocks that are not needed may fail with the values of variables. The plan reports the others.
    if (partial && stack.unknown.isUnknown(node) && isEvaluatedByPlan(node))
      found.push(...problems);
    // An error with the values of variables is enough.
    else found.push(...own, ...(hasErrors(own) ? [] : problems));
  }
  for (const [name, { context, scope }] of validated) {
    const { imports, removals } = context.config;
    ofStacks
      .get(name)
      ?.push(
        ...imports.flatMap((block) => validateImport(block, scope)),
        ...removals.flatMap((block) => validateRemoval(block, scope)),
      );
  }
  return { diagnostics, ofStacks };
}

function isEvaluatedByPlan({ kind }: ConfigurationNode): boolean {
  return kind !== "provider" && kind !== "variable" && kind !== "output";
}

/** Reports references from outside a check to its data source. */
function checkScopes(config: StackConfig, node: ConfigurationNode): readonly Diagnostic[] {
  return blockReferences(config, node).flatMap(({ subject }) => {
    if (subject.kind !== "resource" || subject.mode !== "data") return [];
    const { check } = config.dataSources.get(formatSubject(subject)) ?? {};
    if (check === undefined || (node.kind === "check" && node.name === check)) return [];
    const detail = `The referenced data resource "${subject.type}" "${subject.name}" is not available from this context.`;
    return [errorAt({ address: formatNode(node) }, "Reference to scoped resource", detail)];
  });
}

/** Returns the blocks of a stack with the schemas of their types. */
export function declared(context: StackContext): Declared {
  const { config } = context;
  return {
    config,
    attributesOf: (address) => {
      const { resources, dataSources, ephemerals } = config;
      const block = resources.get(address) ?? dataSources.get(address) ?? ephemerals.get(address);
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
    ...error(
      "Cycle",
      `Each of these refers to the next one, and the last one to the first: ${path.join(" → ")}. Remove one of the references.`,
    ),
    ...(first && { address: formatNode(first) }),
  };
}
