import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "../../provider/definitions/provider-definition";
import { error, type Diagnostic } from "../../provider/diagnostics";

const DEFAULT = "default";

/**
 * Refuses a stack for which another workspace than `default` is selected, by TF_WORKSPACE or by
 * `terraform workspace select`: this engine would read and change the objects of `default`.
 */
export async function refuseWorkspace(
  stack: string,
  directory: string,
  environment: Environment,
): Promise<readonly Diagnostic[]> {
  const named = nonEmpty(environment.TF_WORKSPACE);
  const file = join(
    resolve(directory, nonEmpty(environment.TF_DATA_DIR) ?? ".terraform"),
    "environment",
  );
  const workspace = named ?? (await selectedIn(file));
  if (workspace === DEFAULT) return [];
  const source = named === undefined ? file : "The environment variable TF_WORKSPACE";
  return [
    error(
      "Unsupported workspace",
      `${source} selects the workspace "${workspace}" for stack "${stack}". The embedded engine has only the workspace "${DEFAULT}", so it would read and change other objects. Use --engine terraform, or select the workspace "${DEFAULT}".`,
    ),
  ];
}

/** An empty variable is one that is not set, as in Terraform. */
function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

async function selectedIn(file: string): Promise<string> {
  try {
    return nonEmpty((await readFile(file, "utf8")).trim()) ?? DEFAULT;
  } catch {
    // Terraform selects the default workspace too if it cannot read the file.
    return DEFAULT;
  }
}
