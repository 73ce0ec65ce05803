import { memberOf } from "../../core/member-of";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import { compareStrings } from "../../core/values";
import { readConfiguration, type StackEntry } from "../../language";
import type { AppOptions } from "../stacks/app-stacks";
import type { RunOptions, VariableOptions } from "../stacks/run-options";
import { secretsFrom } from "../stacks/secrets-command";
import type { Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import type { Program } from "../stacks/engines";
import { checkProgram } from "./program";
import { encodeProviders, serveProviders, type ServedProviders } from "./served-providers";
import { declaredSecrets, variableSources, type VariableSources } from "./variables";

/** Options of all commands that run the program. */
export type ProgramEngineOptions = AppOptions &
  VariableOptions &
  Pick<RunOptions, "withNull"> &
  Partial<Pick<RunOptions, "lockTimeout">>;

/** Terraform or OpenTofu with the providers that this process serves to it. */
export interface OpenEngine<O extends ProgramEngineOptions = RunOptions> {
  readonly terminal: Terminal;
  readonly program: Program;
  readonly version: string;
  /** Shown to runs that a lock keeps out. */
  readonly operation: string;
  readonly options: O;
  readonly variables: VariableSources;
  /** The names of the ephemeral variables of all stacks. */
  readonly ephemeral: ReadonlySet<string>;
  /** The environment of all runs of the program. */
  readonly environment: Environment;
  /** Serves the providers to a run in the folder of a stack. */
  readonly serve: (directory: string) => Promise<ServedProviders>;
}

/** Checks the program and the options, and asks for secrets. */
export async function openEngine<O extends ProgramEngineOptions>(
  screen: Screen,
  { program, operation }: Pick<OpenEngine, "program" | "operation">,
  options: O,
  stacks: readonly StackEntry[],
): Promise<OpenEngine<O> | { readonly diagnostics: readonly Diagnostic[] }> {
  const { terminal } = screen;
  // The schemas are encoded while the program starts.
  const [found, schemas, variables] = await Promise.all([
    checkProgram(terminal, program),
    encodeProviders(options.withNull === true),
    variableSources({
      directory: terminal.directory,
      environment: terminal.environment,
      given: options.variables ?? [],
      stacks: stacks.map((stack) => stack.directory),
    }),
  ]);
  if ("problem" in found) return { diagnostics: [found.problem] };
  if (variables.diagnostics.length > 0) return { diagnostics: variables.diagnostics };
  const { ephemeral, secrets, diagnostics } = await askForSecrets(
    terminal,
    stacks,
    variables.environment,
    options,
  );
  if (hasErrors(diagnostics)) return { diagnostics };
  const serve = (directory: string) =>
    serveProviders(
      { directory, environment: terminal.environment, log: screen.log },
      schemas,
      options.provider ?? options.consoles?.definition,
    );
  const environment = {
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    ...secrets,
    ...variables.environment,
  };
  const { version } = found;
  const inputs = { variables, ephemeral, environment };
  return { terminal, program, version, operation, options, ...inputs, serve };
}

/** Asks the secrets command once for all stacks. The program itself reports a secret without a value. */
async function askForSecrets(
  terminal: Terminal,
  stacks: readonly StackEntry[],
  environment: Environment,
  { secretsCommand }: VariableOptions,
) {
  const read = await Promise.all(stacks.map((stack) => readConfiguration(stack)));
  const declared = read.flatMap((one) => ("json" in one ? declaredSecrets(one.json) : []));
  const ephemeral = new Set(declared);
  const names = [...ephemeral].filter(
    (name) =>
      memberOf(environment, name) === undefined && environment[`TF_VAR_${name}`] === undefined,
  );
  if (!secretsCommand || names.length === 0) return { ephemeral, secrets: {}, diagnostics: [] };
  const request = { names: names.sort(compareStrings), ephemeral: [...ephemeral] };
  const { values, diagnostics } = await secretsFrom(secretsCommand, terminal)(request);
  return { ephemeral, secrets: Object.fromEntries(values), diagnostics };
}
