import { dirname, join } from "node:path";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { printed } from "../../../core/printed";
import { openBackend, readConfiguration } from "../../../language";
import { ExitCode } from "../../exit-code";
import { adviceOf } from "../../stacks/advice";
import { terraformBlock } from "../../stacks/app-stacks";
import { selectedStacks } from "../../stacks/selection";
import { openStored } from "../../stored/stored-stacks";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { migrate, type MigrateOptions } from "./state-migrate";

/** Moves the state of a stack that the app has under a new name. */
export async function stateRenameStack(
  terminal: Terminal,
  old: string,
  name: string,
  options: MigrateOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const selected = await selectedStacks(screen, [name], options);
  if (!selected) return ExitCode.ERROR;
  const [entry, ...others] = selected.stacks;
  if (entry?.name !== name || others.length > 0) return screen.fail(noName(name));
  if (selected.all.some((one) => one.name === old)) return screen.fail(stillThere(old));
  const read = await readConfiguration(entry);
  if ("problem" in read) return screen.fail(read.problem);
  const { stack, diagnostics } = await openStored(
    terminal,
    entry,
    adviceOf(options, selected.all.length === 1),
  );
  if (screen.report(diagnostics) || !stack) return ExitCode.ERROR;
  const { workspace, directory } = stack.placed;
  const opened = openBackend(renamed(terraformBlock(read.json), name, old), {
    directory: join(dirname(directory), old),
    workspace,
    environment: terminal.environment,
    workingDirectory: terminal.directory,
  });
  if (screen.report(opened.diagnostics) || !opened.backend) return ExitCode.ERROR;
  if (opened.backend.location === stack.backend.location) {
    return screen.fail(sameBackend(stack.backend.location, name));
  }
  const moved = await migrate(screen, stack, opened.backend, options);
  if (screen.report(moved.diagnostics)) return ExitCode.ERROR;
  if (!moved.state) return screen.fail(noState(old, opened.backend.location));
  screen.print(printed`Stack "${old}" is "${name}" now.\n`);
  return ExitCode.DONE;
}

/** Replaces a name in all texts of a backend block, such as paths and keys. */
function renamed(block: unknown, from: string, to: string): unknown {
  if (typeof block === "string") return block.replaceAll(from, to);
  if (Array.isArray(block)) return block.map((one) => renamed(one, from, to));
  if (typeof block !== "object" || block === null) return block;
  return Object.fromEntries(
    Object.entries(block).map(([key, value]) => [key, renamed(value, from, to)]),
  );
}

function noName(name: string): Diagnostic {
  const detail = `The app has no single stack "${name}". Rename the stack in the app, synthesize, and give its exact name.`;
  return error("No such stack", detail);
}

function stillThere(old: string): Diagnostic {
  const detail = `The app still has the stack "${old}", which needs its state. Rename the stack in the app, and synthesize.`;
  return error("Stack was not renamed", detail);
}

function sameBackend(location: string, name: string): Diagnostic {
  const detail = `The backend block of "${name}" does not contain the name, so both names have ${location}. Nothing needs to be moved if the block was not changed; else name the earlier backend with "state migrate ${name} --from-backend FILE".`;
  return error("Both names have the same state", detail);
}

function noState(old: string, location: string): Diagnostic {
  const detail = `${location}, which is the backend of "${old}", has no state. Name the state with "state migrate --from-file FILE" or --from-backend.`;
  return error("No state to move", detail);
}
