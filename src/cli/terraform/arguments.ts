import type { PlanMode } from "../../runtime";
import type { RunOptions } from "../stacks/run-options";

/** Options that Terraform has too. */
export type TerraformOptions = Pick<
  RunOptions,
  "refresh" | "parallelism" | "lockTimeout" | "target" | "replace"
>;

/** The output that this program reads, without questions. */
const READABLE = ["-json", "-input=false", "-no-color"] as const;

/** The arguments of `plan`, without values of variables. */
export function planArguments(
  mode: PlanMode,
  options: TerraformOptions,
  variableFiles: readonly string[],
  file: string,
): readonly string[] {
  return [
    "plan",
    ...READABLE,
    ...(mode === "normal" ? [] : [mode === "destroy" ? "-destroy" : "-refresh-only"]),
    ...(options.refresh === "false" ? ["-refresh=false"] : []),
    ...sharedArguments(options, variableFiles),
    ...(options.target ?? []).map((address) => `-target=${address}`),
    ...(options.replace ?? []).map((address) => `-replace=${address}`),
    `-out=${file}`,
  ];
}

/** The arguments of `apply` for a plan in a file. */
export function applyArguments(
  options: TerraformOptions,
  variableFiles: readonly string[],
  file: string,
): readonly string[] {
  return ["apply", ...READABLE, ...sharedArguments(options, variableFiles), file];
}

/** The arguments of `import`, before the address and the ID. */
export function importArguments(
  options: Partial<TerraformOptions>,
  variableFiles: readonly string[],
): readonly string[] {
  return ["import", "-input=false", "-no-color", ...sharedArguments(options, variableFiles)];
}

function sharedArguments(
  { parallelism, lockTimeout = 0 }: Partial<TerraformOptions>,
  variableFiles: readonly string[],
): readonly string[] {
  return [
    ...(parallelism === undefined ? [] : [`-parallelism=${parallelism}`]),
    ...(lockTimeout > 0 ? [`-lock-timeout=${lockTimeout}ms`] : []),
    ...variableFiles.map((file) => `-var-file=${file}`),
  ];
}
