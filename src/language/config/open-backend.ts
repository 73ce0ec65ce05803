import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { world } from "../../core/io/world";
import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import {
  type Advice,
  type Backend,
  HttpStore,
  LocalBackend,
  ObjectStore,
  PgStore,
  RemoteBackend,
  type StateStore,
} from "../../backends";
import type { BackendConfig, LocalBackendConfig, ServerBackendConfig } from "./backend-block";
import { azurermPlace } from "./azurerm-backend";
import { gcsPlace } from "./gcs-backend";
import { httpSettings, withoutUser } from "./http-backend";
import { pgSettings } from "./pg-backend";
import { s3Place } from "./s3-backend";
import { readTerraformBlock } from "./terraform-block";
import { DEFAULT_WORKSPACE } from "../../core/workspace";

export interface StackLocation {
  /** The folder of cdk.tf.json: relative paths start there, as in Terraform. */
  readonly directory: string;
  /** The selected workspace. */
  readonly workspace: string;
  /** Terraform's variables, such as TF_HTTP_PASSWORD, complete the backend block. */
  readonly environment: Environment;
  /** The folder for `errored.tfstate`. Default: the process's. */
  readonly workingDirectory?: string | undefined;
  /** Completes the commands that diagnostics name. Default: without options. */
  readonly advice?: Advice | undefined;
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
  const { backend, diagnostics } = backendConfig(terraformBlock);
  return backend ? backendOf(backend, location) : { diagnostics };
}

/** Returns the backend that a `terraform` block names. */
export function backendConfig(terraformBlock: unknown): {
  readonly backend?: BackendConfig;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const { backend, cloud } = z.looseObject({}).safeParse(terraformBlock).data ?? {};
  const settings = readTerraformBlock({ backend, cloud }, diagnostics, diagnostics);
  return hasErrors(diagnostics) ? { diagnostics } : { backend: settings.backend, diagnostics };
}

/** Opens a backend. Sends and reads nothing. */
export function backendOf(backend: BackendConfig, location: StackLocation): Opened {
  const { directory, workspace, workingDirectory, advice } = location;
  if (backend.type === "other") return { diagnostics: [backend.refusal] };
  if (backend.type === "local") {
    const path = localStatePath(backend, directory, workspace);
    return { backend: new LocalBackend(path, workingDirectory, advice), diagnostics: [] };
  }
  const { store, diagnostics } = storeOf(backend, location);
  const opened = store && new RemoteBackend(store, workingDirectory, advice);
  return { ...(opened && { backend: opened }), diagnostics };
}

export function storeOf(
  backend: ServerBackendConfig,
  { directory, workspace, environment }: StackLocation,
): { readonly store?: StateStore; readonly diagnostics: readonly Diagnostic[] } {
  switch (backend.type) {
    case "http": {
      const { settings, diagnostics } = httpSettings(backend, environment, workspace);
      return { ...(settings && { store: new HttpStore(settings) }), diagnostics };
    }
    case "pg": {
      const { settings, diagnostics } = pgSettings(backend, environment, workspace, directory);
      return { ...(settings && { store: new PgStore(settings) }), diagnostics };
    }
    case "azurerm": {
      const { place, diagnostics } = azurermPlace(backend, environment, workspace, directory);
      return { ...(place && { store: new ObjectStore(place) }), diagnostics };
    }
    case "gcs": {
      const { place, diagnostics } = gcsPlace(backend, environment, workspace, directory);
      return { ...(place && { store: new ObjectStore(place) }), diagnostics };
    }
    case "s3": {
      const { place, diagnostics } = s3Place(backend, environment, workspace, directory);
      return { ...(place && { store: new ObjectStore(place) }), diagnostics };
    }
  }
}

/** Identifies the state of a backend: equal for two configurations that share one. */
export function stateIdentity(backend: BackendConfig, location: StackLocation): string | undefined {
  const { directory, workspace, environment } = location;
  switch (backend.type) {
    case "local":
      return realPath(localStatePath(backend, directory, workspace));
    case "http":
      return withoutUser(httpSettings(backend, environment, workspace).settings?.address);
    case "other":
      return undefined;
    default:
      return storeOf(backend, location).store?.location;
  }
}

/** Resolves symbolic links, also of a path that does not exist yet. */
function realPath(path: string): string {
  try {
    return world.files.realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** The path of a stack's state file. `path` is that of the default workspace only. */
export function localStatePath(
  { path = "terraform.tfstate", workspaceDir = WORKSPACE_DIR }: Omit<LocalBackendConfig, "type">,
  directory: string,
  workspace: string,
): string {
  const inWorkspace = join(workspaceDir, workspace, "terraform.tfstate");
  return resolve(directory, workspace === DEFAULT_WORKSPACE ? path : inWorkspace);
}

/** The default folder of the other workspaces than the default one. */
export const WORKSPACE_DIR = "terraform.tfstate.d";
