import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import type { Backend } from "../../runtime/backends/backend";
import { openBackend } from "../../runtime/backends/open-backend";
import { readAssembly, selectStacks, type StackEntry } from "../../runtime/config/assembly";
import { readJsonFile } from "../../runtime/config/json-file";
import { emptyState, type State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { stackHeading } from "../headings";
import type { CommonOptions, Screen } from "../terminal/screen";
import { locateStacks, type AppOptions } from "../stacks";

export interface StoredOptions extends CommonOptions, AppOptions {
  /** Which of the app's stacks. */
  readonly stack?: string;
}

/** A stack with the backend that its state is in. */
export interface StoredStack {
  readonly name: string;
  readonly backend: Backend;
}

/**
 * The stacks whose states a command looks at. Undefined once errors were reported. The stacks'
 * configuration is not looked at beyond their backends: a state can be read whatever has become of it.
 */
async function openStoredStacks(
  screen: Screen,
  options: StoredOptions,
): Promise<readonly StoredStack[] | undefined> {
  const located = await locateStacks(screen, options);
  if (screen.report(located.diagnostics) || located.directory === undefined) return undefined;
  const { assembly, diagnostics } = await readAssembly(located.directory);
  if (screen.report(diagnostics.filter(({ severity }) => severity === "error")) || !assembly) {
    return undefined;
  }
  const selected = selectStacks(assembly, options.stack === undefined ? [] : [options.stack]);
  if (screen.report(selected.diagnostics)) return undefined;
  const opened = await Promise.all(selected.stacks.map((entry) => open(screen, entry)));
  screen.report(opened.flatMap((stack) => stack.diagnostics));
  const stacks = opened.flatMap(({ stack }) => stack ?? []);
  return stacks.length === opened.length ? stacks : undefined;
}

/** The same where the command works on one stack. */
export async function openStoredStack(
  screen: Screen,
  options: StoredOptions,
): Promise<StoredStack | undefined> {
  const stacks = await openStoredStacks(screen, options);
  if (!stacks) return undefined;
  const [stack, ...others] = stacks;
  if (stack && others.length === 0) return stack;
  const names = stacks.map(({ name }) => name).join(", ");
  screen.report([
    error(
      "Which stack?",
      `The app has ${stacks.length} stacks: ${names}. Name one of them with --stack.`,
    ),
  ]);
  return undefined;
}

/** The state of a stack; an empty one where it was never applied. Undefined once errors were reported. */
export async function readStored(
  screen: Screen,
  { backend }: StoredStack,
): Promise<State | undefined> {
  const { state, diagnostics } = await backend.read();
  return screen.report(diagnostics) ? undefined : (state ?? emptyState());
}

/** Shows the states of the stacks, each headed by its name where there are several. */
export async function showStored(
  screen: Screen,
  options: StoredOptions,
  show: (state: State) => void,
): Promise<ExitCode> {
  const stacks = await openStoredStacks(screen, options);
  if (!stacks) return ExitCode.ERROR;
  let failed = false;
  for (const stack of stacks) {
    const state = await readStored(screen, stack);
    if (stacks.length > 1) screen.print(stackHeading(stack.name, screen.style));
    if (state) show(state);
    else failed = true;
  }
  return failed ? ExitCode.ERROR : ExitCode.DONE;
}

async function open(
  { terminal }: Screen,
  entry: StackEntry,
): Promise<{ stack?: StoredStack; diagnostics: readonly Diagnostic[] }> {
  const read = await readJsonFile(entry.file);
  if (read.kind === "faulty") return { diagnostics: [read.diagnostic] };
  if (read.kind === "missing") {
    const detail = `There is no ${entry.file}. Synthesize the app again.`;
    return { diagnostics: [error(`No configuration of stack "${entry.name}"`, detail)] };
  }
  const block = isRecord(read.json) ? read.json.terraform : undefined;
  const { backend, diagnostics } = openBackend(block, {
    directory: entry.directory,
    workingDirectory: terminal.directory,
  });
  if (!backend || hasErrors(diagnostics)) return { diagnostics };
  return { stack: { name: entry.name, backend }, diagnostics };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
