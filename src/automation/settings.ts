import { builtInProviders } from "../provider/built-in";
import type { Environment } from "../core/environment";
import type { Log } from "../core/io/log";
import type { LoadOptions, PlanOptions, VariableArgument } from "../runtime";

/** The stacks of a run, and the sources of their values. */
export interface StackSettings {
  /** The folder of synthesized stacks: cdktf.out, or `app.outdir`. */
  readonly outDir: string;
  /** Names of stacks. Default: all. */
  readonly stacks?: readonly string[];
  /** Variables of the environment, for stacks, providers and backends. Default: of this process. */
  readonly environment?: Environment;
  /** Values of input variables; the last one of a name counts. Default: none. */
  readonly variables?: readonly VariableArgument[];
  /** Folder of terraform.tfvars and *.auto.tfvars, HCL or .json. Default: none is read. */
  readonly variablesFolder?: string;
  /** Finds secrets that have no value otherwise. Default: they are errors. */
  readonly secrets?: LoadOptions["variables"]["secrets"];
  /** Called for records of the log. Default: there is no log. */
  readonly log?: Log;
}

/** A run over stacks, with the limits that the command line has. */
export interface RunSettings
  extends
    StackSettings,
    Pick<
      PlanOptions,
      | "refresh"
      | "replace"
      | "targets"
      | "parallelism"
      | "lockWaitMs"
      | "failFast"
      | "ignoreMissingStackDependencies"
      | "stop"
      | "abort"
    > {}

/** Returns the options with which the executor loads stacks. */
export function loadOptionsOf(settings: StackSettings): LoadOptions {
  const { outDir, stacks, environment = process.env, variables = [] } = settings;
  const { variablesFolder, secrets, log = () => undefined } = settings;
  return {
    outDir,
    ...(stacks && { stacks }),
    providers: builtInProviders(log),
    environment,
    variables: {
      environment,
      directories: variablesFolder === undefined ? [] : [variablesFolder],
      given: variables,
      ...(secrets && { secrets }),
    },
  };
}
