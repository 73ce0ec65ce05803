import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLibrary } from "../../src/cli/init/library";
import { LIBRARIES, type Library } from "../../src/core/library-names";
import { folder, project, ROOT, run } from "./project";

const EMBEDDED = ["synth", "apply --auto-approve", "plan --detailed-exitcode"];

/** Commands of both engines, one after the other on one console. */
const BOTH_ENGINES = [
  ...EMBEDDED,
  "plan --engine terraform --with-null --detailed-exitcode",
  "destroy --auto-approve --engine terraform --with-null",
  "apply --auto-approve --engine terraform --with-null",
  "plan --detailed-exitcode",
];

const DEPENDENCIES: Readonly<Record<Library, string>> = { cdktf: "^0.21.0", cdktn: "^0.24.0" };

/**
 * Runs the quickstart in an app on each library, alone under both engines and where both libraries are
 * installed, and shows the error of an app without a library.
 */
export function checkLibraries(tarball: string): void {
  for (const library of LIBRARIES) {
    const alone = install(library, tarball, [library]);
    const [other = library] = LIBRARIES.filter((one) => one !== library);
    if (existsSync(join(alone, "node_modules", other))) throw new Error(`${other} is installed.`);
    checkApp(alone, library, BOTH_ENGINES);
  }
  const both = install("both", tarball, LIBRARIES);
  for (const library of LIBRARIES) checkApp(both, library, EMBEDDED);
  checkNeither(tarball);
}

/** Installs the package with libraries. npm must not warn, and `npm ls` must find no fault. */
function install(name: string, tarball: string, libraries: readonly Library[]): string {
  const named = Object.fromEntries(libraries.map((one) => [one, DEPENDENCIES[one]]));
  const constructs = libraries.length === 0 ? {} : { constructs: "~10.7.2" };
  const directory = project(`on-${name}`, tarball, {
    dependencies: { "cdktf-console": `file:${tarball}`, ...constructs, ...named },
  });
  const args = ["install", "--no-fund", "--no-audit"];
  const { status, stderr } = spawnSync("npm", args, { cwd: directory, encoding: "utf8" });
  if (status !== 0 || /peer|ERESOLVE/i.test(stderr)) throw new Error(`npm ${status}: ${stderr}`);
  const { dependencies = {} } = JSON.parse(run(directory, "npm", "ls", "--all", "--json")) as Tree;
  const copies = copiesOf(dependencies);
  for (const one of ["constructs", ...libraries]) {
    if (copies.get(one)?.size !== 1) throw new Error(`There is not one copy of ${one}.`);
  }
  return directory;
}

/** `npm ls --json`. A package that is installed once has one version in it. */
interface Tree {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, Tree>>;
}

function copiesOf(
  dependencies: Readonly<Record<string, Tree>>,
  copies = new Map<string, Set<string>>(),
): ReadonlyMap<string, ReadonlySet<string>> {
  for (const [name, { version, dependencies: inside = {} }] of Object.entries(dependencies)) {
    // An optional peer that is missing has no version.
    if (version !== undefined) copies.set(name, (copies.get(name) ?? new Set()).add(version));
    copiesOf(inside, copies);
  }
  return copies;
}

/** Compiles the quickstart without skipping types of libraries, and runs commands on it. */
function checkApp(directory: string, library: Library, given: readonly string[]): void {
  const quickstart = readFileSync(join(ROOT, "examples/quickstart/main.ts"), "utf8");
  writeFileSync(join(directory, "main.ts"), withLibrary(quickstart, library));
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node"];
  const kind = ["--module", "nodenext", "--target", "es2022", "--strict"];
  // The release of the README's project has compiled the types already, in test/package/run.ts.
  const tsc = join(ROOT, "node_modules/typescript-7/bin/tsc");
  run(directory, tsc, ...kind, "--skipLibCheck", "false", ...types, "main.ts");
  const cli = join(directory, "node_modules/.bin/cdktf-console");
  const commands = given.map((command) => `${cli} ${command}`).join(" && ");
  run(directory, cli, "simulate", "--", "sh", "-c", commands);
}

function checkNeither(tarball: string): void {
  const directory = install("neither", tarball, []);
  writeFileSync(join(directory, "main.js"), 'require("cdktf-console");');
  const cli = join(directory, "node_modules/.bin/cdktf-console");
  const { status, stderr } = spawnSync(cli, ["plan"], { cwd: directory, encoding: "utf8" });
  const said = stderr.replaceAll(/[\s│]+/g, " ");
  if (status !== 1 || !said.includes("Neither cdktf nor cdktn is installed")) {
    throw new Error(`An app without a library ends with ${status}: ${stderr}`);
  }
}

/** The project of `init` on cdktn passes its test; test/first-steps does so on cdktf. */
export function checkNewProject(tarball: string): void {
  const directory = join(folder, "new");
  mkdirSync(directory);
  const cli = join(folder, "on-cdktn/node_modules/.bin/cdktf-console");
  run(directory, cli, "init", "--library", "cdktn", "--package", tarball);
  run(directory, "npm", "test");
}
