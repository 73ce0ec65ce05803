import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import {
  type Assembly,
  backendOf,
  locate,
  readAssembly,
  readStack,
  type ResourceConfig,
  stacksOfAssembly,
  type StackConfig,
  type StackEntry,
  stateIdentity,
  unreadFiles,
  type VariableInputs,
} from "../../language";
import { Validations } from "../evaluation/validations";
import { resolveVariables } from "../evaluation/variables";
import type { StackContext } from "../graph/stack-context";
import { ProviderConnections } from "../evaluation/provider-connections";
import type { Providers } from "../evaluation/providers";
import {
  resolveRemoteState,
  type KnownStack,
  type RemoteInstance,
} from "../evaluation/remote-state";
import { stackCycles, type StackFaults } from "../graph/stack-order";
import { sharedStates } from "./shared-states";
import { checkRequiredVersion } from "./required-version";
import { tenantFaults } from "./tenant-faults";
import { validateStacks } from "./validate-stacks";
import { validateRefactoring } from "../refactoring/block-problems";
import { configurationGraph, REMOTE_STATE, type ConfigurationGraph } from "../graph/configuration";

export interface LoadOptions {
  /** The folder that a synth wrote, cdktf.out. */
  readonly outDir: string;
  /** By name; all where none is named. */
  readonly stacks?: readonly string[];
  readonly variables: VariableInputs;
  readonly providers: Providers;
  /** Environment variables that providers see. Default: those of `variables`. */
  readonly environment?: Environment;
  /** Only parts of the stacks are planned: variables that these do not need may be invalid. Default false. */
  readonly partial?: boolean;
  /** The command needs no state, so that any backend may have it. Default false. */
  readonly stateless?: boolean;
}

/** Stacks that were read and are valid. */
export interface Loaded {
  readonly configuration: ConfigurationGraph;
  /** By name, each behind those that it depends on. */
  readonly contexts: ReadonlyMap<string, StackContext>;
  /** Stacks that lack a secret, and tenants whose rows have errors. */
  readonly faults: StackFaults;
}

/**
 * Reads the selected stacks and the values of their variables, and validates them without a console.
 * All errors are reported together; then there is no `loaded`.
 */
export async function loadStacks(
  options: LoadOptions,
): Promise<{ loaded?: Loaded; diagnostics: readonly Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const read = await readAssembly(options.outDir);
  diagnostics.push(...read.diagnostics);
  if (!read.assembly) return { diagnostics };
  const selected = stacksOfAssembly(read.assembly, options.stacks ?? []);
  diagnostics.push(...selected.diagnostics);
  const { environment: selecting } = options.variables;
  const stacks = await Promise.all(selected.stacks.map((entry) => readStack(entry, selecting)));
  const unread = await Promise.all(selected.stacks.map(unreadFiles));
  diagnostics.push(...stacks.flatMap((stack) => stack.diagnostics), ...unread.flat());
  // Faulty stacks are validated too, so that all errors are reported together.
  const configs = stacks.flatMap(({ config, faulty }) => config ?? faulty ?? []);
  if (configs.length < stacks.length || hasErrors(selected.diagnostics)) return { diagnostics };
  const { loaded, diagnostics: found } = await loadConfigs(
    { assembly: read.assembly, selected: selected.stacks, configs },
    options,
  );
  diagnostics.push(...found);
  if (!loaded || !hasErrors(diagnostics)) return { ...(loaded && { loaded }), diagnostics };
  await closeProviders(loaded);
  return { diagnostics };
}

/** Stacks of an assembly with their configurations. */
export interface ReadStacks {
  readonly assembly: Assembly;
  readonly selected: readonly Pick<StackEntry, "name" | "dependencies">[];
  readonly configs: readonly StackConfig[];
}

/** Loads stacks that were read. */
export async function loadConfigs(
  { assembly, selected, configs }: ReadStacks,
  options: Omit<LoadOptions, "outDir" | "stacks">,
): Promise<{ loaded?: Loaded; diagnostics: readonly Diagnostic[] }> {
  const { providers, environment = options.variables.environment, stateless = false } = options;
  const diagnostics: Diagnostic[] = [
    ...sharedStates(configs, environment),
    ...configs.flatMap(checkRequiredVersion),
    ...configs.flatMap(validateRefactoring),
    ...(stateless ? [] : configs).flatMap((config) => {
      const { diagnostics } = backendOf(config.backend, { ...config, environment });
      return locate(diagnostics, { address: "terraform", path: ["backend", config.backend.type] });
    }),
  ];

  const variables = await resolveVariables(configs, options.variables);
  diagnostics.push(...variables.diagnostics);
  const remote = await remoteStatesOf(assembly, configs, variables.values, options);
  diagnostics.push(...remote.diagnostics);
  const { remoteStates } = remote;
  const upstream = (stack: string, { address }: ResourceConfig) =>
    (remoteStates.get(stack)?.get(address) ?? []).flatMap(({ source }) =>
      source.kind === "selected" ? [source.stack] : [],
    );
  const configuration = configurationGraph(configs, upstream);
  const after = new Map(selected.map(({ name, dependencies }) => [name, dependencies]));
  const contexts = new Map(
    configs.map((config): [string, StackContext] => [
      config.name,
      {
        config,
        variables: variables.values.get(config.name) ?? new Map(),
        given: variables.given.get(config.name) ?? new Map(),
        nodes: nodesOf(configuration, config.name),
        providers,
        after: after.get(config.name) ?? [],
        remoteStates: remoteStates.get(config.name) ?? new Map(),
        connections: new ProviderConnections(config, providers, environment, stateless),
        validations: new Validations(),
      },
    ]),
  );
  diagnostics.push(...stackCycles(contexts));
  const validated = await validateStacks(configuration, contexts, options);
  const tenants = tenantFaults(configs, validated.ofStacks);
  diagnostics.push(...validated.diagnostics, ...tenants.diagnostics);
  const faults = mergedFaults([variables.faults, tenants.faults]);
  const loaded = { configuration, contexts, faults };
  if (!hasErrors(diagnostics)) return { loaded, diagnostics };
  await closeProviders(loaded);
  return { diagnostics };
}

/** Merges the errors of single stacks. */
export function mergedFaults(found: readonly StackFaults[]): Map<string, readonly Diagnostic[]> {
  const faults = new Map<string, readonly Diagnostic[]>();
  for (const [stack, problems] of found.flatMap((some) => [...some])) {
    faults.set(stack, [...(faults.get(stack) ?? []), ...problems]);
  }
  return faults;
}

/** Closes the providers of all stacks. */
export async function closeProviders({ contexts }: Pick<Loaded, "contexts">): Promise<void> {
  await Promise.all([...contexts.values()].map(({ connections }) => connections.close()));
}

/** Checks all that can be checked without a state and without a console: no output is known. */
export async function validate(options: LoadOptions): Promise<readonly Diagnostic[]> {
  const { loaded, diagnostics } = await loadStacks({ ...options, stateless: true });
  if (!loaded) return diagnostics;
  await closeProviders(loaded);
  return [...diagnostics, ...[...loaded.faults.values()].flat()];
}

/** Finds the sources of each terraform_remote_state, by stack and address. */
async function remoteStatesOf(
  assembly: Assembly,
  configs: readonly StackConfig[],
  values: Awaited<ReturnType<typeof resolveVariables>>["values"],
  { providers, variables: { environment } }: Omit<LoadOptions, "outDir" | "stacks">,
) {
  const known = await knownStacks(assembly, configs, environment);
  const diagnostics: Diagnostic[] = [];
  const remoteStates = new Map<string, ReadonlyMap<string, readonly RemoteInstance[]>>();
  for (const config of configs) {
    const found = new Map<string, readonly RemoteInstance[]>();
    for (const block of config.dataSources.values()) {
      if (block.type !== REMOTE_STATE) continue;
      const variables = values.get(config.name) ?? new Map();
      const reader = { stack: config, variables, known, providers, environment };
      const resolved = await resolveRemoteState(block, reader);
      found.set(block.address, resolved.instances);
      diagnostics.push(...resolved.diagnostics);
    }
    remoteStates.set(config.name, found);
  }
  return { remoteStates, diagnostics };
}

/** Lists all stacks. Those that are not selected are read for the names in diagnostics. */
async function knownStacks(
  { stacks }: Assembly,
  configs: readonly StackConfig[],
  environment: Environment,
): Promise<readonly KnownStack[]> {
  const reads = configs.some(({ dataSources }) =>
    [...dataSources.values()].some(({ type }) => type === REMOTE_STATE),
  );
  const selected = new Set(configs.map(({ name }) => name));
  const others = reads ? stacks.filter(({ name }) => !selected.has(name)) : [];
  const read = await Promise.all(others.map((entry) => readStack(entry, environment)));
  const known = (config: StackConfig, isSelected: boolean): KnownStack => ({
    name: config.name,
    identity: stateIdentity(config.backend, { ...config, environment }),
    selected: isSelected,
    config,
  });
  return [
    ...configs.map((config) => known(config, true)),
    ...read.flatMap(({ config }) => (config ? [known(config, false)] : [])),
  ];
}

function nodesOf({ stacks }: ConfigurationGraph, name: string): StackContext["nodes"] {
  const nodes = stacks.get(name);
  if (!nodes) throw new Error(`stack ${name} is not in the graph`);
  return nodes;
}
