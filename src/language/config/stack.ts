import { z } from "zod";
import type { Environment } from "../../core/environment";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { ExpressionPosition } from "../expressions/expression";
import { REFUSALS, refusalDetail } from "../expressions/refusals";
import { didYouMean } from "../../core/suggest";
import type { StackEntry } from "./assembly";
import { parseWithDecimals } from "./json-file";
import { readChecks } from "./check-blocks";
import { errorAt } from "./located";
import { mergeLists } from "./block-lists";
import { checkLabels } from "./names";
import { readProviders } from "./provider-blocks";
import { readImports, readMoves, readRemovals } from "./refactoring-blocks";
import { readResources } from "./resource-blocks";
import { block, checkShape, single } from "./shape";
import { readConfiguration } from "./stack-file";
import type { RequiredProvider, ResourceConfig, StackConfig } from "./stack-config";
import { impliedProvider, readTerraformBlock } from "./terraform-block";
import { readLocals, readOutputs, readVariables } from "./value-blocks";
import { selectedWorkspace } from "../../core/workspace";

/** `module` and `action` are refused; their blocks are read to name them. */
const KNOWN = [
  "module",
  "action",
  "//",
  "terraform",
  "provider",
  "variable",
  "locals",
  "resource",
  "data",
  "ephemeral",
  "output",
  "moved",
  "removed",
  "import",
  "check",
];

/** The result of reading a cdk.tf.json. With errors there is no `config`. */
export interface StackReading {
  readonly config?: StackConfig;
  /**
   * Present if there are errors inside blocks only: all blocks, with unknown in place of invalid
   * parts, so that the rest of the stack can be validated. It must not be run.
   */
  readonly faulty?: StackConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a stack's cdk.tf.json, for the workspace that is selected in its folder. */
export async function readStack(
  entry: StackEntry,
  environment: Environment,
): Promise<StackReading> {
  const read = await readConfiguration(entry, parseWithDecimals);
  if ("problem" in read) return { diagnostics: [read.problem] };
  const { workspace, diagnostics } = await selectedWorkspace(entry.directory, environment);
  return workspace === undefined ? { diagnostics } : parseStack(read.json, { ...entry, workspace });
}

/** Parses the content of a stack's cdk.tf.json. */
export async function parseStack(
  content: unknown,
  { name, directory, workspace }: Pick<StackConfig, "name" | "directory" | "workspace">,
): Promise<StackReading> {
  const diagnostics: Diagnostic[] = [];
  const json = mergeLists(content) ?? {};
  const top = checkShape(block, json, { address: name, path: [] }, diagnostics);
  if (!top) return { diagnostics };
  diagnostics.push(...unknownBlocks(top));
  const refused = [...refusedModules(top.module), ...refusedActions(top.action)];
  const settings = readTerraformBlock(top.terraform, diagnostics, refused);
  const isGroundSound = !hasErrors(diagnostics);
  diagnostics.push(...refused);
  const providers = await readProviders(top.provider, name, diagnostics);
  const resources = await readResources(top.resource, "managed", diagnostics);
  const dataSources = await readResources(top.data, "data", diagnostics);
  const ephemerals = await readResources(top.ephemeral, "ephemeral", diagnostics);
  const variables = await readVariables(top.variable, diagnostics);
  const locals = await readLocals(top.locals, diagnostics);
  const outputs = await readOutputs(top.output, name, diagnostics);
  const checking = await readChecks(top.check, diagnostics);
  const moves = readMoves(top.moved, diagnostics) ?? [];
  const removals = (await readRemovals(top.removed, diagnostics)) ?? [];
  const imports = (await readImports(top.import, diagnostics)) ?? [];
  // Without all names, validation would report valid references as undeclared.
  if (!providers || !resources || !dataSources || !ephemerals) return { diagnostics };
  if (!variables || !locals || !outputs || !checking) return { diagnostics };
  const { checks, scoped } = checking;
  diagnostics.push(...duplicates(dataSources, scoped));
  const allData = new Map([...dataSources, ...scoped]);
  const { providerMeta, requiredProviders, ...others } = settings;
  const used = [...providers.values()].map((provider) => provider.name);
  for (const blocks of [resources, allData, ephemerals]) {
    for (const { where, provider } of blocks.values()) {
      used.push(provider.name);
      if (providerMeta.includes(provider.name)) {
        diagnostics.push(unsupportedMeta(provider.name, where));
      }
    }
  }
  const config: StackConfig = {
    name,
    directory,
    workspace,
    json,
    ...others,
    requiredProviders: withImplied(requiredProviders, used),
    providers,
    variables,
    locals,
    resources,
    dataSources: allData,
    ephemerals,
    outputs,
    checks,
    moves,
    removals,
    imports,
  };
  if (!hasErrors(diagnostics)) return { config, diagnostics };
  return { ...(isGroundSound && { faulty: config }), diagnostics };
}

/** Reports data sources of checks with the address of another data source. */
function duplicates(
  dataSources: ReadonlyMap<string, ResourceConfig>,
  scoped: ReadonlyMap<string, ResourceConfig>,
): readonly Diagnostic[] {
  return [...scoped.values()].flatMap(({ address, where, type, name }) => {
    if (!dataSources.has(address)) return [];
    const detail = `A ${type} data resource named "${name}" was already declared. Resource names must be unique per type in each module, including within check blocks.`;
    return [errorAt(where, `Duplicate data "${type}" configuration`, detail)];
  });
}

/** None of the providers that the executor includes has metadata. */
function unsupportedMeta(name: string, where: ExpressionPosition): Diagnostic {
  const detail = `${where.address} belongs to a provider that doesn't support provider_meta blocks.`;
  return errorAt(where, `Provider ${name} doesn't support provider_meta`, detail);
}

function withImplied(
  required: ReadonlyMap<string, RequiredProvider>,
  used: readonly string[],
): ReadonlyMap<string, RequiredProvider> {
  const implied = used
    .filter((name) => !required.has(name))
    .map((name) => [name, impliedProvider(name)] as const);
  return new Map([...required, ...implied]);
}

const named = z.record(z.string(), z.unknown());

function unknownBlocks(top: Readonly<Record<string, unknown>>): readonly Diagnostic[] {
  const unknown = Object.keys(top).filter((key) => !KNOWN.includes(key));
  return unknown.map((key) => {
    const detail = `Blocks of type "${key}" are not expected here.${didYouMean(key, KNOWN)}`;
    return { ...error("Unsupported block type", detail), address: key };
  });
}

function refusedModules(json: unknown): Diagnostic[] {
  if (json === undefined) return [];
  const problems: Diagnostic[] = [];
  const names = named.safeParse(json).data ?? {};
  checkLabels(names, "module block's name", { address: "module" }, problems);
  for (const name of Object.keys(names)) {
    const address = `module.${name}`;
    const detail = refusalDetail(`The stack has the block ${address}.`, REFUSALS.module);
    problems.push({ ...error("Unsupported block", detail), address });
  }
  return problems;
}

const actions = single(z.record(z.string(), single(named)));

function refusedActions(json: unknown): Diagnostic[] {
  if (json === undefined) return [];
  const problems: Diagnostic[] = [];
  const types = checkShape(actions, json, { address: "action", path: [] }, problems) ?? {};
  for (const [type, names] of Object.entries(types)) {
    for (const name of Object.keys(names)) {
      const address = `action.${type}.${name}`;
      const detail = refusalDetail(`The stack has the block ${address}.`, REFUSALS.action);
      problems.push({ ...error("Unsupported block", detail), address });
    }
  }
  return problems;
}
