import { joined, printed } from "../../core/printed";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import {
  backendOf,
  readAssembly,
  readStack,
  type StackConfig,
  stateIdentity,
} from "../../language";
import { statesRead } from "../evaluation/remote-state";
import { resolveVariables } from "../evaluation/variables";
import { REMOTE_STATE } from "../graph/configuration";
import type { LoadOptions } from "./load";

/**
 * Reports stacks that a destroy leaves out, although they have objects and depend on a stack that it
 * destroys: they could then neither be planned nor destroyed. A state that cannot be read counts as
 * having objects.
 */
export async function dependentsLeft(options: LoadOptions): Promise<readonly Diagnostic[]> {
  const { outDir, stacks = [], variables, environment = variables.environment } = options;
  const destroyed = new Set(stacks);
  const { stacks: all } = (await readAssembly(outDir)).assembly ?? { stacks: [] };
  if (destroyed.size === 0 || all.every(({ name }) => destroyed.has(name))) return [];
  const read = await Promise.all(
    all.map(async (entry) => {
      const { config, faulty } = await readStack(entry, environment);
      return { entry, config: config ?? faulty };
    }),
  );
  const identities = new Map(
    read.flatMap(({ entry, config }): [string, string][] => {
      const identity = config && stateIdentity(config.backend, { ...config, environment });
      return identity !== undefined && destroyed.has(entry.name) ? [[identity, entry.name]] : [];
    }),
  );
  const left = read.filter(({ entry }) => !destroyed.has(entry.name));
  const found = await Promise.all(
    left.map(async ({ entry, config }) => {
      const needed =
        entry.dependencies.find((name) => destroyed.has(name)) ??
        (config &&
          (await readFrom(config, options)).flatMap((one) => identities.get(one) ?? [])[0]);
      const reason = needed === undefined ? undefined : await hasObjects(config, options);
      return reason === undefined
        ? []
        : [`  - ${entry.name} ${reason}, and depends on ${needed ?? ""}`];
    }),
  );
  const lines = found.flat();
  if (lines.length === 0) return [];
  return [
    error(
      "Stacks that depend on a destroyed stack are not selected",
      printed`Without the outputs of that stack, these can neither be planned nor destroyed as before:\n${joined(lines, "\n")}\n\nDestroy them too, or first. To leave them as they are, use --ignore-missing-stack-dependencies.`,
    ),
  ];
}

/** Returns the identities of the states that a stack reads, as far as its arguments are known. */
async function readFrom(
  config: StackConfig,
  { variables, providers, environment = variables.environment }: LoadOptions,
): Promise<readonly string[]> {
  const blocks = [...config.dataSources.values()].filter(({ type }) => type === REMOTE_STATE);
  if (blocks.length === 0) return [];
  const { directories, given } = variables;
  const inputs = { environment, directories, given, unset: "unknown" } as const;
  const { values } = await resolveVariables([config], inputs);
  const known = values.get(config.name) ?? new Map();
  return blocks.flatMap((block) =>
    statesRead(block, { stack: config, variables: known, known: [], providers, environment }),
  );
}

/** Describes what the state of a stack has; undefined if it has no objects. */
async function hasObjects(
  config: StackConfig | undefined,
  { variables, environment = variables.environment }: LoadOptions,
): Promise<string | undefined> {
  const unreadable = "has a state that cannot be read";
  const backend = config && backendOf(config.backend, { ...config, environment }).backend;
  if (!backend) return unreadable;
  const { state, diagnostics } = await backend.read();
  if (hasErrors(diagnostics)) return unreadable;
  const isManaged = state?.resources.some(
    ({ mode, instances }) => mode === "managed" && instances.length > 0,
  );
  return isManaged ? "has objects" : undefined;
}
