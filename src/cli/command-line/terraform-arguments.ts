import { memberOf } from "../../core/member-of";
import type { Environment } from "../../core/environment";

/** The commands that Terraform has too, and to which it adds the arguments in TF_CLI_ARGS. */
const SHARED: ReadonlySet<string> = new Set([
  "apply",
  "console",
  "destroy",
  "force-unlock",
  "graph",
  "import",
  "output",
  "plan",
  "refresh",
  "show",
  "state list",
  "state mv",
  "state pull",
  "state push",
  "state rm",
  "state show",
  "taint",
  "untaint",
  "validate",
]);

/**
 * Names a variable with arguments that Terraform would add to a command and that this run would
 * ignore; undefined if there is none.
 *
 * @param name - of the command, as in `state list`
 * @param engine - undefined for commands that have one engine only
 */
export function ignoredArguments(
  name: string,
  engine: string | undefined,
  environment: Environment,
): string | undefined {
  if (!SHARED.has(name)) return undefined;
  const own = `TF_CLI_ARGS_${name.replace(/[ -]/g, "_")}`;
  const isEmbedded = engine === undefined || engine === "embedded";
  const ignored = isEmbedded ? ["TF_CLI_ARGS", own] : name === "destroy" ? [own] : [];
  const found = ignored.find((variable) => (memberOf(environment, variable) ?? "").trim() !== "");
  if (found === undefined) return undefined;
  const why = isEmbedded
    ? "has arguments for Terraform, which the embedded engine does not take."
    : `has arguments for "${engine} destroy", but destroy runs "${engine} plan" and "${engine} apply". Use TF_CLI_ARGS_plan and TF_CLI_ARGS_apply.`;
  const other = engine === "embedded" ? " Or run it with --engine terraform." : "";
  return `${found} ${why} Give them to this command as options, and unset ${found}.${other}`;
}
