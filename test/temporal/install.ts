/**
 * Builds Temporal's server from its module, which needs Go, and installs its SDK. Neither is a dependency:
 * they take 250 MB each. Later runs use the same ones.
 *
 *   tsx test/temporal/install.ts
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SDK_VERSION } from "../../src/temporal";
import { KEPT_FOLDER } from "../support/kept-folder";
import { describeWhere, installed } from "../support/requirement";

const SERVER_VERSION = "v1.5.1";
const SERVER_FOLDER = join(KEPT_FOLDER, `temporal-${SERVER_VERSION}-of-cdktf-console`);
const SDK_FOLDER = join(KEPT_FOLDER, `temporal-sdk-${SDK_VERSION}-of-cdktf-console`);

/** The command line of Temporal, with its development server. */
export const TEMPORAL = join(SERVER_FOLDER, "temporal");

/** The folder that a project with the SDK has as `node_modules`. */
export const SDK_MODULES = join(SDK_FOLDER, "node_modules");

const PACKAGES = ["activity", "client", "envconfig", "testing", "worker", "workflow"].map(
  (name) => `@temporalio/${name}@${SDK_VERSION}`,
);

const SERVED = installed(
  existsSync(TEMPORAL) && existsSync(SDK_MODULES),
  "Temporal is not installed: npx tsx test/temporal/install.ts",
);

/** Tests that need Temporal's server and SDK: skipped where they are missing, but never in CI. */
export function describeWithTemporal(promise: string, tests: () => void): void {
  describeWhere(SERVED, promise, tests);
}

/** Puts what `make` leaves in a folder in its place, whole. */
function installInto(place: string, make: (folder: string) => void): void {
  if (existsSync(place)) return;
  const folder = mkdtempSync(`${place}-`);
  try {
    make(folder);
    renameSync(folder, place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(): void {
  installInto(SDK_FOLDER, (folder) => {
    const options = ["--ignore-scripts", "--no-fund", "--no-audit", "--no-save"];
    execFileSync("npm", ["install", "--prefix", folder, ...options, ...PACKAGES], {
      stdio: "inherit",
    });
  });
  installInto(SERVER_FOLDER, (folder) => {
    const program = `github.com/temporalio/cli/cmd/temporal@${SERVER_VERSION}`;
    execFileSync("go", ["install", "-ldflags", "-s -w", program], {
      env: { ...process.env, GOBIN: folder },
      stdio: "inherit",
    });
  });
}

if (require.main === module) install();
