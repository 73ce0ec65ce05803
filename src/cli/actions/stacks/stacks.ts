import { relative } from "node:path";
import { formatLabel } from "../../../fleet/selection/labels";
import { hasErrors } from "../../../core/diagnostics";
import { printable, printed } from "../../../core/printed";
import { ExitCode } from "../../exit-code";
import {
  countInstances,
  listStacks,
  statesWithoutStack,
  type ListedStack,
} from "../../stored/list-stacks";
import { selectedStacks } from "../../stacks/selection";
import { stateOpener, type StoredOptions } from "../../stored/stored-stacks";
import { openScreen, type Screen } from "../../terminal/screen";
import { printTable } from "../../terminal/table";
import type { Terminal } from "../../terminal/terminal";

export interface StacksOptions extends Omit<StoredOptions, "stack"> {
  readonly json?: boolean;
}

/** Lists the selected stacks, and the local states that belong to no stack. */
export async function stacks(
  terminal: Terminal,
  patterns: readonly string[],
  options: StacksOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const selected = await selectedStacks(screen, patterns, options);
  if (!selected) return ExitCode.ERROR;
  const open = await stateOpener(screen, options, selected);
  if (!open) return ExitCode.ERROR;
  const listed = await listStacks(terminal, selected.stacks, open);
  const files = await statesWithoutStack(terminal, selected.all);
  const left = files.map((file) => relative(terminal.directory, file));
  if (options.json) screen.printDocument(`${JSON.stringify(listing(listed, left))}\n`);
  else printListing(screen, listed, left);
  return screen.report(listed.flatMap(({ diagnostics }) => diagnostics))
    ? ExitCode.ERROR
    : ExitCode.DONE;
}

function listing(listed: readonly ListedStack[], left: readonly string[]) {
  return {
    format_version: "1.0",
    stacks: listed.map(({ name, consoles, labels, state, writtenAt, lock, diagnostics }) => {
      const error = diagnostics.find(({ severity }) => severity === "error");
      return {
        name,
        console: consoles.length > 0 ? consoles.join(", ") : null,
        labels,
        resources: state ? countInstances(state) : 0,
        serial: state?.serial ?? null,
        last_apply: writtenAt?.toISOString() ?? null,
        lock: lock ?? null,
        ...(error && { error: error.summary }),
      };
    }),
    states_without_stack: left,
  };
}

const COLUMNS = ["Stack", "Console", "Labels", "Resources", "Serial", "Last apply", "Lock"];

function printListing(
  screen: Screen,
  listed: readonly ListedStack[],
  left: readonly string[],
): void {
  printTable(screen, COLUMNS, listed.map(rowOf));
  if (left.length === 0) return;
  screen.print(printed`\nStates without a stack:\n`);
  for (const file of left) screen.print(printed`  ${file}\n`);
}

const NONE = "-";

function rowOf(stack: ListedStack): readonly string[] {
  const { name, consoles, labels, state, writtenAt, lock, diagnostics } = stack;
  const label = Object.entries(labels).map((entry) => formatLabel(...entry));
  const failed = hasErrors(diagnostics);
  return [
    name,
    consoles.length > 0 ? consoles.join(", ") : NONE,
    label.length > 0 ? label.join(", ") : NONE,
    failed ? "error" : String(state ? countInstances(state) : 0),
    state ? String(state.serial) : NONE,
    writtenAt ? writtenAt.toISOString().replace(/\.\d+Z$/, "Z") : NONE,
    lock ? `${lock.operation || "unknown"} by ${lock.who || "unknown"}` : NONE,
  ].map(printable);
}
