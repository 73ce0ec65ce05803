import type { RunOptions } from "../stacks/run-options";

export type TerraformCommand = "plan" | "apply" | "destroy";

/** Options that Terraform has too. */
export type TerraformOptions = Omit<RunOptions, "engine">;

export interface Presentation {
  readonly coloured: boolean;
  /** True if a user can answer questions. */
  readonly asks: boolean;
}

/** The arguments of `terraform plan`, `apply` and `destroy`, without values of variables. */
export function terraformArguments(
  command: TerraformCommand,
  options: TerraformOptions,
  variableFiles: readonly string[],
  { coloured, asks }: Presentation,
): readonly string[] {
  const flag = (name: string, on: boolean | undefined) => (on ? [`-${name}`] : []);
  return [
    command,
    ...flag("no-color", !coloured),
    ...flag("input=false", !asks),
    ...flag("json", options.json),
    ...flag("auto-approve", options.autoApprove),
    ...flag("detailed-exitcode", options.detailedExitcode),
    ...flag("destroy", options.destroy),
    ...flag("refresh-only", options.refreshOnly),
    ...flag("refresh=false", options.refresh === "false"),
    ...(options.parallelism === undefined ? [] : [`-parallelism=${options.parallelism}`]),
    ...flag(`lock-timeout=${options.lockTimeout}ms`, options.lockTimeout > 0),
    ...(options.target ?? []).map((address) => `-target=${address}`),
    ...(options.replace ?? []).map((address) => `-replace=${address}`),
    ...variableFiles.map((file) => `-var-file=${file}`),
    ...(options.out === undefined ? [] : [`-out=${options.out}`]),
  ];
}
