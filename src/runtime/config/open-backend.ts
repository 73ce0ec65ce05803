import { join, resolve } from "node:path";
import { z } from "zod";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import type { LocalBackendConfig } from "./stack-config";
import { readTerraformBlock } from "./terraform-block";
import { DEFAULT_WORKSPACE } from "./workspace";
import type { Backend } from "../backends/backend";
import { LocalBackend } from "../backends/local";

export interface StackLocation {
  /** The folder of cdk.tf.json: relative paths start there, as in Terraform. */
  readonly directory: string;
  /** The selected workspace. */
  readonly workspace: string;
  /** The folder for `errored.tfstate`. Default: the process's. */
  readonly workingDirectory?: string;
}

/**
 * Opens the backend that the `terraform` block of a stack names; without one, a local
 * `terraform.tfstate` next to cdk.tf.json. Any other backend than `local` is an error.
 */
export function openBackend(
  terraformBlock: unknown,
  { directory, workspace, workingDirectory }: StackLocation,
): { backend?: Backend; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const { backend, cloud } = z.looseObject({}).safeParse(terraformBlock).data ?? {};
  const settings = readTerraformBlock({ backend, cloud }, diagnostics, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  const path = localStatePath(settings.backend, directory, workspace);
  return { backend: new LocalBackend(path, workingDirectory), diagnostics };
}

/** The path of a stack's state file. `path` is that of the default workspace only. */
export function localStatePath(
  { path = "terraform.tfstate", workspaceDir = "terraform.tfstate.d" }: LocalBackendConfig,
  directory: string,
  workspace: string,
): string {
  const inWorkspace = join(workspaceDir, workspace, "terraform.tfstate");
  return resolve(directory, workspace === DEFAULT_WORKSPACE ? path : inWorkspace);
}
