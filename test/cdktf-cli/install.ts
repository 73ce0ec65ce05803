/**
 * Installs cdktf-cli for the tests of this folder. It is not a dependency, because it takes 420 MB
 * and half a minute to download. Later runs use the same installation.
 *
 *   tsx test/cdktf-cli/install.ts
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { KEPT_FOLDER } from "../support/kept-folder";

const VERSION = "0.21.0";
const FOLDER = join(KEPT_FOLDER, `cdktf-cli-${VERSION}-of-cdktf-console`);

/** The program, where it is installed. */
export const CDKTF = join(FOLDER, "node_modules/.bin/cdktf");

export function isCdktfInstalled(): boolean {
  return existsSync(CDKTF);
}

function install(): void {
  if (isCdktfInstalled()) return;
  // Elsewhere first, so that what is there is whole.
  const folder = mkdtempSync(`${FOLDER}-`);
  try {
    // Its terminal comes prebuilt for the usual systems: no script needs to run.
    const options = ["--ignore-scripts", "--no-fund", "--no-audit", "--no-save"];
    execFileSync("npm", ["install", "--prefix", folder, ...options, `cdktf-cli@${VERSION}`], {
      stdio: "inherit",
    });
    renameSync(folder, FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (require.main === module) install();
