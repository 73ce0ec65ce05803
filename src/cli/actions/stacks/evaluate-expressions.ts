import { error, hasErrors } from "../../../core/diagnostics";
import { emptyState } from "../../../core/documents/state";
import { Printed, printed } from "../../../core/printed";
import { renderValue } from "../../../formats/text/value-text";
import { StackExpressions } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { selectedStacks } from "../../stacks/selection";
import { stateOpener, type StoredOptions } from "../../stored/stored-stacks";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { NO_CONSOLE } from "./configuration";

type ConsoleOptions = Omit<StoredOptions, "stack"> & VariableOptions;

const HELP = printed`Enter an expression to see its value. Resources have the values of the state, variables
those of this run: cwp_license.main.id, var.name, upper("a").

Enter "exit" or press Control-D to exit.
`;

/** Prints the values of expressions: of each line of standard input, or of answers to a prompt. */
export async function evaluateExpressions(
  terminal: Terminal,
  stack: string | undefined,
  options: ConsoleOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, true);
  const expressions = await openExpressions(screen, stack, options);
  if (!expressions) return ExitCode.ERROR;
  const asks = terminal.interactive && options.input !== false;
  for await (const line of asks ? answers(terminal) : piped(terminal)) {
    const source = line.trim();
    if (source === "") continue;
    if (source === "exit") break;
    if (source === "help") {
      screen.print(HELP);
      continue;
    }
    const { value, diagnostics } = await expressions.evaluate(source);
    if (!screen.report(diagnostics)) screen.print(printed`${Printed.of(renderValue(value))}\n`);
    else if (!asks) return ExitCode.ERROR;
  }
  return ExitCode.DONE;
}

async function* answers(terminal: Terminal): AsyncGenerator<string> {
  for (;;) {
    const answer = await terminal.ask("> ");
    if (answer === undefined) return;
    yield answer;
  }
}

async function* piped(terminal: Terminal): AsyncGenerator<string> {
  yield* (await terminal.input()).split("\n");
}

/** Reads a stack and its state. Undefined after an error. */
async function openExpressions(
  screen: Screen,
  name: string | undefined,
  options: ConsoleOptions,
): Promise<StackExpressions | undefined> {
  const selected = await selectedStacks(screen, name === undefined ? [] : [name], options);
  if (!selected) return undefined;
  const [entry, ...others] = selected.stacks;
  if (!entry || others.length > 0) {
    const names = selected.stacks.map((stack) => stack.name).join(", ");
    const detail = `${selected.stacks.length} stacks are selected: ${names}. Name one of them.`;
    screen.fail(error("Ambiguous stack", detail));
    return undefined;
  }
  const open = await stateOpener(screen, options, selected);
  if (!open) return undefined;
  const opened = await open(entry);
  if (screen.report(opened.diagnostics) || !opened.stack) return undefined;
  const { state, diagnostics: found } = await opened.stack.backend.read();
  if (screen.report(found)) return undefined;
  const load = loadOptions(screen, selected.directory, [entry], options);
  const { expressions, diagnostics } = await StackExpressions.open(
    entry.name,
    state ?? emptyState(),
    { ...load, variables: { ...load.variables, unset: "unknown" }, environment: NO_CONSOLE },
  );
  return hasErrors(diagnostics) && screen.report(diagnostics) ? undefined : expressions;
}
