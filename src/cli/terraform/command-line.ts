/** What of a command's options Terraform has too. */
export interface TerraformOptions {
  readonly parallelism: number;
  readonly refresh: "true" | "false";
  readonly refreshOnly?: boolean;
  readonly destroy?: boolean;
  readonly target?: readonly string[];
  readonly replace?: readonly string[];
  readonly json?: boolean;
  /** Milliseconds. */
  readonly lockTimeout: number;
  readonly detailedExitcode?: boolean;
  /** Absolute. */
  readonly out?: string;
  readonly autoApprove?: boolean;
}

export type TerraformCommand = "plan" | "apply" | "destroy";

export interface Presentation {
  readonly coloured: boolean;
  /** Somebody is there to answer questions. */
  readonly asks: boolean;
}

/** The arguments of `terraform plan`, `apply` and `destroy`. No value of a variable is among them. */
export function commandLine(
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
    `-parallelism=${options.parallelism}`,
    ...flag(`lock-timeout=${options.lockTimeout}ms`, options.lockTimeout > 0),
    ...(options.target ?? []).map((address) => `-target=${address}`),
    ...(options.replace ?? []).map((address) => `-replace=${address}`),
    ...variableFiles.map((file) => `-var-file=${file}`),
    ...(options.out === undefined ? [] : [`-out=${options.out}`]),
  ];
}
