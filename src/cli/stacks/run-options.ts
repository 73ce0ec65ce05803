import { resolve } from "node:path";
import { loadOptionsOf } from "../../automation/settings";
import type { LoadOptions, VariableArgument } from "../../runtime";
import { builtInProviders } from "../../provider/built-in";
import type { RunFollower } from "./follow-run";
import type { OpenConsoles } from "./open-consoles";
import type { RemoteOptions, RolloutOptions } from "./rollout-settings";
import type { Engine } from "./engines";
import type { ApprovalOptions } from "../terminal/confirmation";
import type { CommonOptions, Screen } from "../terminal/screen";
import type { AppOptions } from "./app-stacks";
import type { PrintOptions } from "./run-report";
import type { SelectionOptions } from "./selection";
import { secretsFrom } from "./secrets-command";
import type { GateOptions } from "./protection-gate";
import type { ReviewOptions } from "./review-options";

/** Values of input variables, in command line order. */
export interface VariableOptions {
  readonly variables?: readonly VariableArgument[];
  /** Program and arguments. */
  readonly secretsCommand?: readonly string[];
  /** Consoles that the run leaves open. */
  readonly consoles?: OpenConsoles | undefined;
  /** The provider of consoles. Default: the built-in one. */
  readonly provider?: OpenConsoles["definition"] | undefined;
}

/** Options of plan, apply and destroy. Each command takes some of the optional ones. */
export interface RunOptions
  extends
    CommonOptions,
    AppOptions,
    SelectionOptions,
    VariableOptions,
    ApprovalOptions,
    ReviewOptions,
    PrintOptions,
    GateOptions,
    RolloutOptions,
    RemoteOptions {
  readonly engine: Engine;
  /** Serve a replacement of hashicorp/null to another engine. */
  readonly withNull?: boolean;
  /** Default: by the number of stacks and processors, at least 10. */
  readonly parallelism?: number;
  readonly refresh: "true" | "false";
  readonly refreshOnly?: boolean;
  readonly destroy?: boolean;
  /** Destroy stacks although others that are not selected depend on them. */
  readonly ignoreMissingStackDependencies?: boolean;
  /** Record of the run to roll back. */
  readonly rollback?: string;
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  /** Stacks whose console has another address since the last write. */
  readonly sameConsole?: readonly string[];
  /** Milliseconds. */
  readonly lockTimeout: number;
  /** Refuse sets with policies without effect. */
  readonly strict?: boolean;
  /** Read what runs on the consoles whose policies change. */
  readonly live?: boolean;
  /** Plan and apply nothing if a stack fails. */
  readonly failFast?: boolean;
  readonly detailedExitcode?: boolean;
  /** File to save the plan in. */
  readonly out?: string;
}

/** Options that the executor loads stacks with. */
export function loadOptions(
  { terminal, log }: Screen,
  outDir: string,
  stacks: readonly { readonly name: string }[],
  { variables = [], secretsCommand, consoles, provider = consoles?.definition }: VariableOptions,
): LoadOptions {
  const { directory, environment } = terminal;
  const secrets = secretsCommand && secretsFrom(secretsCommand, terminal);
  const given = variables.map((argument) =>
    argument.kind === "file" ? { ...argument, file: resolve(directory, argument.file) } : argument,
  );
  const load = loadOptionsOf({
    outDir,
    stacks: stacks.map(({ name }) => name),
    environment,
    variables: given,
    variablesFolder: directory,
    ...(secrets && { secrets }),
    log,
  });
  return provider ? { ...load, providers: builtInProviders(log, provider) } : load;
}

/** Options with which the executor plans stacks, or resumes their saved plans. */
export function sessionOptions(
  { terminal }: Screen,
  options: RunOptions,
  { observe, reached, stepped, ended }: RunFollower,
) {
  return {
    ...(options.parallelism !== undefined && { parallelism: options.parallelism }),
    lockWaitMs: options.lockTimeout,
    environment: terminal.environment,
    failFast: options.failFast ?? false,
    ...{ observe, reached, stepped, planned: ended },
  };
}
