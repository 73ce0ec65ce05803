import { resolve } from "node:path";
import { printed } from "../../../core/printed";
import { error, hasErrors, type Diagnostic } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { Limit } from "../../../core/io/limit";
import { readTextFile } from "../../../core/io/read-file";
import { earlierBackends, openBackend, recordBackend, type StackEntry } from "../../../language";
import {
  type Backend,
  LocalBackend,
  type Migrated,
  migrateState,
  MigrationRecord,
} from "../../../backends";
import { dataFolder } from "../../../core/workspace";
import { ExitCode } from "../../exit-code";
import { adviceOf } from "../../stacks/advice";
import { terraformBlock } from "../../stacks/app-stacks";
import { reportOfStacks } from "../../stacks/exclusions";
import { selectedStacks } from "../../stacks/selection";
import type { PlacedState } from "../../stored/stored-stack";
import { openStored, type StoredOptions } from "../../stored/stored-stacks";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export interface MigrateOptions extends Omit<StoredOptions, "engine"> {
  readonly fromFile?: string;
  readonly fromBackend?: string;
  /** Milliseconds. */
  readonly lockTimeout: number;
}

/** Enough for servers, and few enough for the files that a process may open. */
const PARALLELISM = 10;

/** Moves the states of stacks to their present backends. */
export async function stateMigrate(
  terminal: Terminal,
  patterns: readonly string[],
  options: MigrateOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { stack, fromFile, fromBackend } = options;
  const names = stack === undefined ? patterns : [...patterns, stack];
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  const isNamed = fromFile !== undefined || fromBackend !== undefined;
  if (isNamed && selected.stacks.length !== 1) {
    const option = fromFile === undefined ? "--from-backend" : "--from-file";
    const detail = `${option} names the state of one stack, but ${selected.stacks.length} are selected. Name the stack.`;
    return screen.fail(error("Ambiguous stack", detail));
  }
  const block = fromBackend === undefined ? undefined : await readBlock(terminal, fromBackend);
  if (block && "problem" in block) return screen.fail(block.problem);
  const limit = new Limit(PARALLELISM);
  const advice = adviceOf(options, selected.all.length === 1);
  const one = async (entry: StackEntry): Promise<readonly Diagnostic[]> => {
    const { stack, diagnostics } = await openStored(terminal, entry, advice);
    if (!stack) return diagnostics;
    const from = await findSource(terminal, stack, options, block?.block);
    if (!from.backend && !hasErrors(from.diagnostics)) {
      const place = stack.backend.location;
      screen.print(printed`${entry.name}: the state is in ${place} already, nothing to move\n`);
    }
    const moved = from.backend
      ? await migrate(screen, stack, from.backend, options)
      : { diagnostics: [] };
    return [...diagnostics, ...from.diagnostics, ...moved.diagnostics];
  };
  const done = await Promise.all(
    selected.stacks.map((entry) =>
      limit.run(async () => ({ stack: entry.name, diagnostics: await one(entry) })),
    ),
  );
  const several = done.length > 1;
  if (several) reportOfStacks(screen, done);
  else screen.report(done.flatMap(({ diagnostics }) => diagnostics));
  const failed = done.filter(({ diagnostics }) => hasErrors(diagnostics)).length;
  if (several)
    screen.print(printed`\n${done.length - failed} of ${done.length} stacks are done.\n`);
  return failed > 0 ? ExitCode.ERROR : ExitCode.DONE;
}

/** Moves a state to the backend of a stack, and prints where it was. */
export async function migrate(
  screen: Screen,
  { stack: name, backend: to, placed }: PlacedState,
  from: Backend,
  { lockTimeout, fromFile }: MigrateOptions,
): Promise<Migrated> {
  const { environment } = screen.terminal;
  const folder = dataFolder(placed.directory, environment);
  const record = await MigrationRecord.open(folder);
  const moved = await migrateState({
    from,
    to,
    request: { operation: "state migrate", waitMs: lockTimeout, id: record.lockId },
    name: `terraform.${name}.tfstate`,
  });
  record.close();
  if (hasErrors(moved.diagnostics)) return moved;
  const { state, kept } = moved;
  // Without a state there, a migration that is repeated has moved it before.
  if (!state && fromFile !== undefined && !(await to.read()).state) {
    const detail = `There is no state in ${from.location}. Name the file that has the state of stack "${name}".`;
    return { diagnostics: [error("No state to move", detail)] };
  }
  await recordBackend(placed, environment);
  screen.print(
    state
      ? printed`${name}: moved serial ${state.serial} from ${from.location} to ${to.location}; the old state is ${kept ?? ""}\n`
      : printed`${name}: no state in ${from.location}, nothing to move\n`,
  );
  return moved;
}

/** Finds the state to move. Undefined if there is nothing to do. */
async function findSource(
  terminal: Terminal,
  { stack: name, backend: to, placed }: PlacedState,
  { fromFile }: MigrateOptions,
  block: unknown,
): Promise<{ backend?: Backend; diagnostics: readonly Diagnostic[] }> {
  const { environment, directory: workingDirectory } = terminal;
  if (fromFile !== undefined) {
    const backend = new LocalBackend(resolve(workingDirectory, fromFile), workingDirectory);
    return named(backend, to);
  }
  if (block !== undefined) {
    const { directory, workspace } = placed;
    const opened = openBackend(block, { directory, workspace, environment, workingDirectory });
    return opened.backend ? named(opened.backend, to) : opened;
  }
  const earlier = await earlierBackends(placed, environment, workingDirectory);
  const [first] = earlier;
  if (!first) {
    const { state, diagnostics } = await to.read();
    return { diagnostics: state ? diagnostics : [...diagnostics, unknownSource(name)] };
  }
  const states = await Promise.all(
    earlier.map(async ({ backend }) => ({ backend, ...(await backend.read()) })),
  );
  const holding = states.filter(({ state, diagnostics }) => state ?? hasErrors(diagnostics));
  const [only, another] = holding;
  if (!only || !another) return { backend: (only ?? first).backend, diagnostics: [] };
  const detail = `Stack "${name}" has used ${only.backend.location} and ${another.backend.location}. Name the one to move with --from-backend or --from-file.`;
  return { diagnostics: [error("Ambiguous backend", detail)] };
}

function named(backend: Backend, to: Backend) {
  if (backend.location !== to.location) return { backend, diagnostics: [] };
  const detail = `${to.location} is the backend that the stack has now.`;
  return { diagnostics: [error("State is already there", detail)] };
}

function unknownSource(name: string): Diagnostic {
  return error(
    "Earlier backend not known",
    `Stack "${name}" has no state, and this folder has no record of an earlier backend. Name it with --from-file or --from-backend.`,
  );
}

/** Reads a backend block: the whole configuration of a stack, its \`terraform\` block, or less of it. */
async function readBlock(
  terminal: Terminal,
  file: string,
): Promise<{ readonly block: unknown } | { readonly problem: Diagnostic }> {
  const path = resolve(terminal.directory, file);
  try {
    const text = file === "-" ? await terminal.input() : await readTextFile(path);
    const json: unknown = JSON.parse(text);
    const block = terraformBlock(json) ?? json;
    const isWhole = typeof block === "object" && block !== null && "backend" in block;
    return { block: isWhole ? block : { backend: block } };
  } catch (cause) {
    const reason =
      cause instanceof SyntaxError
        ? `the file is not JSON; correct it: ${cause.message}`
        : fileFault(cause, path);
    return { problem: error("Backend cannot be read", `${file}: ${reason}`) };
  }
}
