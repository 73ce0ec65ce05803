import { Printed, printed } from "../../../core/printed";
import { memberOf } from "../../../core/member-of";
import { resolve } from "node:path";
import { readFile } from "../../../core/io/read-file";
import { builtInProviders } from "../../../provider/built-in";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { isExactNumber } from "../../../core/json/lossless-json";
import { renderPlanJson } from "../../../formats/json/plan-json";
import { combineDocuments } from "../../../formats/json/stack-documents";
import {
  renderOutputsJson,
  renderOutputValueJson,
  renderStateJson,
} from "../../../formats/json/state-json";
import { renderOutputs, renderOutputValue, renderState } from "../../../formats/text/state-text";
import { isSavedPlan, isTerraformPlan, type SavedPlans } from "../../../runtime";
import type { Json } from "../../../core/documents/state-value";
import { readState } from "../../../formats/state-file/read";
import type { OutputState, State } from "../../../core/documents/state";
import { ExitCode } from "../../exit-code";
import { builtInSchema } from "../../stacks/built-in-schema";
import { printPlans, type PrintOptions } from "../../stacks/run-report";
import { reviewFiles, type ReviewOptions } from "../../stacks/review-options";
import { writeReviews } from "../../stacks/write-reviews";
import {
  printDocuments,
  readStoredStack,
  showStored,
  type StoredOptions,
} from "../../stored/stored-stacks";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

interface ShowOptions extends StoredOptions, PrintOptions, Omit<ReviewOptions, "reviewJson"> {
  /** Print Terraform's JSON format of one stack, on one line. */
  readonly json?: boolean;
}

/** Prints the states of the stacks, or the state or saved plan in a file. */
export async function show(
  terminal: Terminal,
  file: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  if (file !== undefined) return showFile(screen, file, options);
  if (reviewFiles(options).length > 0) return screen.fail(REVIEW_NEEDS_PLAN);
  if (options.json) return printDocuments(screen, options, documentOf);
  return showStored(screen, options, (state) => {
    screen.print(renderState(state, builtInSchema, screen.style));
    return ExitCode.DONE;
  });
}

function documentOf(state: State): string {
  return renderStateJson(state, builtInSchema);
}

async function showFile(screen: Screen, file: string, options: ShowOptions): Promise<ExitCode> {
  const path = resolve(screen.terminal.directory, file);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const detail = `${path}: ${fileFault(cause, path)} To show the state of a stack, name it with --stack.`;
    return screen.fail(error("File cannot be read", detail));
  }
  if (isSavedPlan(bytes) || isTerraformPlan(bytes)) return showPlan(screen, file, bytes, options);
  if (reviewFiles(options).length > 0) return screen.fail(REVIEW_NEEDS_PLAN);
  const { state, diagnostics } = readState(bytes, path);
  // A program or a page that was named by mistake begins with something else than JSON.
  if (!state && !file.includes(".tfstate") && !/^\s*\{/.test(bytes.toString("latin1")))
    return screen.fail(notShown(path));
  if (screen.report(diagnostics) || !state) return ExitCode.ERROR;
  if (options.json) screen.printDocument(`${documentOf(state)}\n`);
  else screen.print(renderState(state, builtInSchema, screen.style));
  return ExitCode.DONE;
}

async function showPlan(
  screen: Screen,
  file: string,
  bytes: Buffer,
  options: ShowOptions,
): Promise<ExitCode> {
  const { terminal } = screen;
  const providers = builtInProviders(screen.log);
  const { readSavedPlans } = await import("../../../runtime/saved-plan/format.js");
  const { saved, diagnostics } = await readSavedPlans(bytes, file, providers, terminal.directory);
  if (screen.report(diagnostics) || !saved) {
    screen.report(await writeReviews(terminal, { failure: diagnostics }, options));
    return ExitCode.ERROR;
  }
  const plans = saved.plans.map(({ document }) => document.plan);
  if (options.json) screen.printDocument(`${planDocument(saved)}\n`);
  else printPlans(screen, plans, plans.length > 1, options);
  const problems = await writeReviews(terminal, { plans }, options);
  return screen.report(problems) ? ExitCode.ERROR : ExitCode.DONE;
}

function notShown(path: string): Diagnostic {
  return error(
    "Not a plan or a state",
    `${path} is neither a plan that "plan --out" saved nor a state file. Name such a file, or no file to show the states of the stacks.`,
  );
}

const REVIEW_NEEDS_PLAN = error(
  "Saved plan required",
  "--html and --markdown write the review of a saved plan. Name the file of the plan.",
);

/** Terraform's document of one plan, or one document with those of several. */
function planDocument({ plans }: SavedPlans): string {
  const documents = plans.map(({ stack, document }) => ({
    stack: stack.name,
    document: renderPlanJson(document),
  }));
  const [only, ...others] = documents;
  return only && others.length === 0 ? only.document : combineDocuments(documents);
}

interface OutputOptions extends StoredOptions {
  /** Print one value without quotes, for scripts. */
  readonly raw?: boolean;
  /** Print JSON, as Terraform does. */
  readonly json?: boolean;
}

/** Prints one output of the stacks, sensitive or not, or lists all outputs. */
export async function output(
  terminal: Terminal,
  name: string | undefined,
  options: OutputOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, name !== undefined || options.json);
  if (name !== undefined) return printOutput(screen, name, options);
  if (options.raw) return screen.fail(RAW_NEEDS_NAME);
  if (options.json) {
    return printDocuments(screen, options, ({ outputs }) => renderOutputsJson(outputs));
  }
  return showStored(screen, options, ({ outputs }) => {
    if (Object.keys(outputs).length === 0) screen.report([NO_OUTPUTS]);
    else screen.print(renderOutputs(outputs));
    return ExitCode.DONE;
  });
}

async function printOutput(
  screen: Screen,
  name: string,
  options: OutputOptions,
): Promise<ExitCode> {
  const find = ({ outputs }: State): OutputState | undefined => {
    const found = Object.hasOwn(outputs, name) ? memberOf(outputs, name) : undefined;
    if (!found) screen.report([notFound(name, Object.keys(outputs))]);
    return found;
  };
  if (options.raw) {
    const { state } = (await readStoredStack(screen, options)) ?? {};
    const found = state && find(state);
    if (!found) return ExitCode.ERROR;
    const raw = rawText(found.value);
    if (raw === undefined) return screen.fail(notRaw(name));
    screen.printDocument(raw);
    return ExitCode.DONE;
  }
  if (options.json) {
    return printDocuments(screen, options, (state) => {
      const found = find(state);
      return found && renderOutputValueJson(found);
    });
  }
  return showStored(screen, options, (state) => {
    const found = find(state);
    if (!found) return ExitCode.ERROR;
    screen.print(printed`${Printed.of(renderOutputValue(found.value, found.type))}\n`);
    return ExitCode.DONE;
  });
}

function rawText(value: Json): string | undefined {
  if (isExactNumber(value)) return value.value;
  return typeof value === "object" ? undefined : String(value);
}

const NO_OUTPUTS = warning(
  "No outputs found",
  "The state has no outputs. The outputs that the stack declares are stored by an apply.",
);

const RAW_NEEDS_NAME = error(
  "Output name required",
  "--raw prints the value of one output. Name the output.",
);

function notFound(name: string, known: readonly string[]): Diagnostic {
  const outputs =
    known.length === 0 ? "It has no outputs." : `Its outputs are: ${known.join(", ")}.`;
  return error(
    `Output "${name}" not found`,
    `The state has no output of this name. ${outputs} An apply stores new outputs.`,
  );
}

function notRaw(name: string): Diagnostic {
  return error(
    "Unsupported value for raw output",
    `--raw prints strings, numbers and booleans. The output "${name}" has another type.`,
  );
}
