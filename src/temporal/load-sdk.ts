import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { error, type Diagnostic } from "../core/diagnostics";
import { errorText } from "../core/io/file-problem";
import { IS_EXECUTABLE } from "../core/io/package-files";
import type { ActivitySdk, ClientSdk, EnvironmentSdk, WorkerSdk } from "./sdk";

/** The version that this package was tested with. Histories of another one may not be continued. */
export const SDK_VERSION = "1.24.0";

const PACKAGES = ["activity", "client", "envconfig", "worker", "workflow"] as const;

/** Temporal's SDK, as the project has it installed. */
export interface Sdk {
  readonly activity: ActivitySdk;
  readonly client: ClientSdk;
  readonly envconfig: EnvironmentSdk;
  readonly worker: WorkerSdk;
  /** The folder of the packages, where workflows are bundled from. */
  readonly modules: string;
}

/** Loads the SDK of the project in a folder, or that which is installed beside this package. */
export function loadSdk(directory: string): Sdk | { readonly problem: Diagnostic } {
  if (IS_EXECUTABLE) {
    const detail =
      "Temporal's SDK has a library for Node, which an executable cannot load. Install this program from npm where rollouts run on Temporal.";
    return { problem: error("Not available in an executable", detail) };
  }
  const from = [join(directory, "package.json"), __filename].map((file) => createRequire(file));
  const found = from.find((load) => versionIn(load, "worker") !== undefined);
  const versions = PACKAGES.map((name) => ({ name, version: found && versionIn(found, name) }));
  const wrong = versions.filter(({ version }) => version !== SDK_VERSION);
  if (!found || wrong.length > 0) {
    const names = wrong.map(({ name, version }) =>
      version === undefined
        ? `@temporalio/${name}`
        : `@temporalio/${name} (${version} is installed)`,
    );
    const all = PACKAGES.map((name) => `@temporalio/${name}@${SDK_VERSION}`).join(" ");
    const detail = `Rollouts on Temporal need version ${SDK_VERSION} of its SDK. Missing: ${names.join(", ")}. Install it in this project: npm install ${all}`;
    return { problem: error("Temporal's SDK is not installed", detail) };
  }
  try {
    return {
      // The version is this one, and test/temporal compares the types.
      activity: found("@temporalio/activity") as ActivitySdk,
      client: found("@temporalio/client") as ClientSdk,
      envconfig: found("@temporalio/envconfig") as EnvironmentSdk,
      worker: found("@temporalio/worker") as WorkerSdk,
      modules: dirname(dirname(folderOf(found, "workflow"))),
    };
  } catch (cause) {
    const detail = `${errorText(cause)}. The SDK needs glibc, so that it does not run on Alpine Linux.`;
    return { problem: error("Temporal's SDK cannot be loaded", detail) };
  }
}

function versionIn(load: NodeJS.Require, name: string): string | undefined {
  try {
    const { version } = load(`@temporalio/${name}/package.json`) as { version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

function folderOf(load: NodeJS.Require, name: string): string {
  return dirname(load.resolve(`@temporalio/${name}/package.json`));
}
