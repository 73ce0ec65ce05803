import { join, resolve } from "node:path";
import { z } from "zod";
import type { Environment } from "../../provider/definitions/provider-definition";
import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import type { Backend } from "../backends/backend";
import { HttpStore } from "../backends/http-store";
import { LocalBackend } from "../backends/local";
import { RemoteBackend } from "../backends/remote";
import { httpSettings, type BackendConfig, type LocalBackendConfig } from "./backend-block";
import { readTerraformBlock } from "./terraform-block";
import { DEFAULT_WORKSPACE } from "./workspace";

export interface StackLocation {
  /** The folder of cdk.tf.json: relative paths start there, as in Terraform. */
  readonly directory: string;
  /** The selected workspace. */
  readonly workspace: string;
  /** Terraform's variables, such as TF_HTTP_PASSWORD, complete the backend block. */
  readonly environment: Environment;
  /** The folder for `errored.tfstate`. Default: the process's. */
  readonly workingDirectory?: string | undefined;
}

interface Opened {
  readonly backend?: Backend;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens the backend that the `terraform` block of a stack names; without one, a local
 * `terraform.tfstate` next to cdk.tf.json. A backend that only Terraform has is an error.
 */
export function openBackend(terraformBlock: unknown, location: StackLocation): Opened {
  const diagnostics: Diagnostic[] = [];
  const { backend, cloud } = z.looseObject({}).safeParse(terraformBlock).data ?? {};
  const settings = readTerraformBlock({ backend, cloud }, diagnostics, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  return backendOf(settings.backend, location);
}

/** Opens a backend. Sends and reads nothing. */
export function backendOf(backend: BackendConfig, location: StackLocation): Opened {
  const { directory, workspace, environment, workingDirectory } = location;
  if (backend.type === "local") {
    const path = localStatePath(backend, directory, workspace);
    return { backend: new LocalBackend(path, workingDirectory), diagnostics: [] };
  }
  const { settings, diagnostics } = httpSettings(backend, environment, workspace);
  return {
    ...(settings && { backend: new RemoteBackend(new HttpStore(settings), workingDirectory) }),
    diagnostics,
  };
}

/** Identifies the state of a backend: equal for two configurations that share one. */
export function stateIdentity(
  backend: BackendConfig,
  { directory, workspace, environment }: StackLocation,
): string | undefined {
  return backend.type === "local"
    ? localStatePath(backend, directory, workspace)
    : httpSettings(backend, environment, workspace).settings?.address;
}

/** The path of a stack's state file. `path` is that of the default workspace only. */
export function localStatePath(
  {
    path = "terraform.tfstate",
    workspaceDir = "terraform.tfstate.d",
  }: Omit<LocalBackendConfig, "type">,
  directory: string,
  workspace: string,
): string {
  const inWorkspace = join(workspaceDir, workspace, "terraform.tfstate");
  return resolve(directory, workspace === DEFAULT_WORKSPACE ? path : inWorkspace);
}
