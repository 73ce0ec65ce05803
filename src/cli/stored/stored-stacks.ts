import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { combineDocuments, type StackDocument } from "../../formats/json/stack-documents";
import { stackTitle } from "../../formats/text/stack-title";
import type { Advice } from "../../backends";
import {
  backendConfig,
  backendOf,
  constructAddresses,
  readConfiguration,
  type PlacedStack,
  type StackEntry,
} from "../../language";
import type { PlacedState, StoredStack } from "./stored-stack";
import { selectedWorkspace } from "../../core/workspace";
import { planIdentity } from "../../core/documents/stack-plan";
import { emptyState, type State } from "../../core/documents/state";
import { ExitCode } from "../exit-code";
import type { CommonOptions, Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { adviceOf } from "../stacks/advice";
import { terraformBlock, type AppOptions } from "../stacks/app-stacks";
import type { Engine } from "../stacks/engines";
import { resolveConstructPaths, type Resolved } from "../stacks/construct-paths";
import { selectedStacks, type SelectedStacks, type SelectionOptions } from "../stacks/selection";

export interface StoredOptions extends CommonOptions, AppOptions, SelectionOptions {
  /** Name of the stack, or a pattern. */
  readonly stack?: string;
  /** Program that reads and writes the state. */
  readonly engine: Engine;
  readonly withNull?: boolean;
}

/** Opens the state of a stack. */
export type StateOpener = (
  entry: StackEntry,
) => Promise<{ readonly stack?: StoredStack; readonly diagnostics: readonly Diagnostic[] }>;

/** Returns what opens the states of stacks, with the engine of the options. Undefined after an error. */
export async function stateOpener(
  screen: Screen,
  options: Omit<StoredOptions, "stack">,
  { stacks, all }: Pick<SelectedStacks, "stacks" | "all">,
): Promise<StateOpener | undefined> {
  const { engine } = options;
  if (engine === "embedded") {
    const advice = adviceOf(options, all.length === 1);
    return (entry) => openStored(screen.terminal, entry, advice);
  }
  const { folderOpener } = await import("../terraform/engine-folder.js");
  const run = { program: engine, operation: "state" };
  const { folderOf, diagnostics } = await folderOpener(screen, run, options, stacks);
  screen.report(diagnostics);
  if (!folderOf) return undefined;
  const { openEngineState } = await import("./engine-state.js");
  return (entry) => openEngineState(folderOf(entry), screen.terminal.environment);
}

/**
 * Opens the backends of the selected stacks. Undefined after an error. Only the backend blocks of
 * the configurations are read: a state can be shown even if its configuration is invalid.
 */
export async function openStoredStacks(
  screen: Screen,
  options: StoredOptions,
): Promise<readonly StoredStack[] | undefined> {
  const names = options.stack === undefined ? [] : [options.stack];
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return undefined;
  const open = await stateOpener(screen, options, selected);
  if (!open) return undefined;
  const opened = await Promise.all(selected.stacks.map(open));
  screen.report(opened.flatMap((stack) => stack.diagnostics));
  const stacks = opened.flatMap(({ stack }) => stack ?? []);
  return stacks.length === opened.length ? stacks : undefined;
}

/** Opens the backend of one stack. Undefined after an error. */
export async function openStoredStack(
  screen: Screen,
  options: StoredOptions,
): Promise<StoredStack | undefined> {
  const stacks = await openStoredStacks(screen, options);
  if (!stacks) return undefined;
  const [stack, ...others] = stacks;
  if (stack && others.length === 0) return stack;
  screen.fail(ambiguous(stacks.map(({ stack: name }) => name)));
  return undefined;
}

/** Finds the backend and the selected workspace of one stack. Undefined after an error. */
export async function openPlacedStack(
  screen: Screen,
  options: Omit<StoredOptions, "engine">,
): Promise<PlacedStack | undefined> {
  const names = options.stack === undefined ? [] : [options.stack];
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return undefined;
  const [entry, ...others] = selected.stacks;
  if (!entry || others.length > 0) {
    screen.fail(ambiguous(selected.stacks.map(({ name }) => name)));
    return undefined;
  }
  const { stack, diagnostics } = await openStored(screen.terminal, entry);
  return screen.report(diagnostics) ? undefined : stack?.placed;
}

function ambiguous(names: readonly string[]): Diagnostic {
  return error(
    "Ambiguous stack",
    `The app has ${names.length} stacks: ${names.join(", ")}. Select one of them with --stack.`,
  );
}

/** Converts addresses and paths of constructs of one stack to addresses. */
export type AddressFinder = (texts: readonly string[]) => Resolved;

export function addressFinder({ stack, configuration }: StoredStack): AddressFinder {
  return (texts) =>
    resolveConstructPaths(texts, [{ stack, blocks: constructAddresses(configuration) }]);
}

/** Reads the state of one stack; an empty one before its first apply. Undefined after an error. */
export async function readStoredStack(
  screen: Screen,
  options: StoredOptions,
): Promise<{ readonly state: State; readonly find: AddressFinder } | undefined> {
  const stack = await openStoredStack(screen, options);
  const state = stack && (await readStored(screen, stack));
  return state && { state, find: addressFinder(stack) };
}

/**
 * Shows the states of the selected stacks, with a heading each if there are several.
 *
 * @param show Returns the exit code of the stack.
 */
export async function showStored(
  screen: Screen,
  options: StoredOptions,
  show: (state: State, find: AddressFinder) => ExitCode,
): Promise<ExitCode> {
  const stacks = await openStoredStacks(screen, options);
  if (!stacks) return ExitCode.ERROR;
  let failed = false;
  for (const stack of stacks) {
    const state = await readStored(screen, stack);
    if (stacks.length > 1) screen.printHeading(stackTitle(stack));
    if (!state || show(state, addressFinder(stack)) !== ExitCode.DONE) failed = true;
  }
  return failed ? ExitCode.ERROR : ExitCode.DONE;
}

/**
 * Prints a JSON document of the state of the selected stack, or one document with those of several.
 *
 * @param render Returns JSON text; undefined after an error.
 */
export async function printDocuments(
  screen: Screen,
  options: StoredOptions,
  render: (state: State) => string | undefined,
): Promise<ExitCode> {
  const stacks = await openStoredStacks(screen, options);
  if (!stacks) return ExitCode.ERROR;
  const documents: StackDocument[] = [];
  for (const stack of stacks) {
    const state = await readStored(screen, stack);
    const document = state && render(state);
    if (document !== undefined) documents.push({ stack: stack.stack, document });
  }
  const [only] = documents;
  const text = stacks.length === 1 ? only?.document : combineDocuments(documents);
  if (text !== undefined) screen.printDocument(`${text}\n`);
  return documents.length < stacks.length ? ExitCode.ERROR : ExitCode.DONE;
}

async function readStored(screen: Screen, { backend }: StoredStack): Promise<State | undefined> {
  const { state, diagnostics } = await backend.read();
  return screen.report(diagnostics) ? undefined : (state ?? emptyState());
}

/** Opens the backend of a stack's state in the selected workspace. */
export async function openStored(
  terminal: Terminal,
  entry: StackEntry,
  advice?: (stack: string) => Advice,
): Promise<{ stack?: PlacedState; diagnostics: readonly Diagnostic[] }> {
  const read = await readConfiguration(entry);
  if ("problem" in read) return { diagnostics: [read.problem] };
  const { directory } = entry;
  const { workspace, ...selecting } = await selectedWorkspace(directory, terminal.environment);
  if (workspace === undefined) return selecting;
  const { backend: config, ...reading } = backendConfig(terraformBlock(read.json));
  if (!config) return reading;
  const { backend, diagnostics } = backendOf(config, {
    directory,
    workspace,
    environment: terminal.environment,
    workingDirectory: terminal.directory,
    advice: advice?.(entry.name),
  });
  if (!backend || hasErrors(diagnostics)) return { diagnostics };
  const placed = { name: entry.name, directory, workspace, backend: config };
  const identity = planIdentity({ ...entry, workspace });
  const stack = { ...identity, backend, placed, configuration: read.json };
  return { stack, diagnostics };
}
