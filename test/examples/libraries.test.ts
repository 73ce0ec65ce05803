import { execFile, spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { withLibrary } from "../../src/cli/init/library";
import { LIBRARIES, type Library } from "../../src/core/library-names";
import { temporaryFolder } from "../cli/stack-files";
import { EXAMPLES_OF_ACTIONS, EXAMPLES_OF_PAGES } from "../docs/support/examples";
import { packedPackage } from "../support/packed-package";

const ROOT = join(__dirname, "../..");
const run = promisify(execFile);

/** A folder with the packed package and libraries, as npm installs them. */
function installed(libraries: readonly Library[], named = libraries): string {
  const directory = temporaryFolder();
  const modules = join(directory, "node_modules");
  // A link would have the libraries of the folder that it leads to.
  const packed = join(packedPackage().modules, "cdktf-console");
  for (const part of ["dist/index.js", "dist/lazy/csv-parse", "package.json"]) {
    cpSync(join(packed, part), join(modules, "cdktf-console", part), { recursive: true });
  }
  for (const name of ["constructs", "tsx", ...libraries]) {
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  const dependencies = Object.fromEntries(named.map((name) => [name, "*"]));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ dependencies }));
  return directory;
}

const FILES = [
  join(ROOT, "examples/quickstart/main.ts"),
  join(ROOT, "examples/tenants/main.ts"),
  join(ROOT, "examples/provider/provider.ts"),
  ...[...EXAMPLES_OF_PAGES, ...EXAMPLES_OF_ACTIONS].map(({ typescript }) => typescript),
].map((file) => relative(ROOT, file));

/** Runs each example as an app, in one process, and keeps the stacks that it synthesizes. */
const RUN_ALL = `
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const stacks = {};
for (const file of ${JSON.stringify(FILES)}) {
  const out = (process.env.CDKTF_OUTDIR = file.replaceAll("/", "-"));
  for (const path of Object.keys(require.cache)) if (path.startsWith(join(__dirname, "examples"))) delete require.cache[path];
  require("./" + file);
  require.cache[join(__dirname, "examples/stack.ts")]?.exports.stack.node.root.synth();
  const read = (path) => JSON.parse(readFileSync(join(out, path), "utf8"));
  for (const { synthesizedStackPath } of Object.values(read("manifest.json").stacks)) {
    stacks[join(file, synthesizedStackPath)] = read(synthesizedStackPath);
  }
}
console.log(JSON.stringify(stacks));
`;

async function synthesizeAll(library: Library): Promise<Readonly<Record<string, unknown>>> {
  const directory = installed([library]);
  const examples = join(packedPackage().modules, "cdktf-console/examples");
  cpSync(examples, join(directory, "examples"), { recursive: true });
  for (const file of [...FILES, "examples/stack.ts"]) {
    const path = join(directory, file);
    writeFileSync(path, withLibrary(readFileSync(path, "utf8"), library));
  }
  writeFileSync(join(directory, "run-all.ts"), RUN_ALL);
  const env = { ...process.env, TENANTS_FILE: "examples/tenants/tenants.csv" };
  const options = { cwd: directory, env, maxBuffer: 1 << 26 };
  const { stdout } = await run("node", ["node_modules/tsx/dist/cli.mjs", "run-all.ts"], options);
  // The release of the library, and the folder of states.
  const text = stdout
    .replaceAll(directory, "")
    .replaceAll(/"version":"0\.2[14]\.0"/g, '"version":""');
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

test("all examples synthesize the same JSON on both libraries", async () => {
  const [cdktf, cdktn] = await Promise.all(LIBRARIES.map(synthesizeAll));
  expect(Object.keys(cdktf ?? {}).length).toBeGreaterThan(FILES.length);
  expect(cdktn).toEqual(cdktf);
});

/** Synthesizes a stack. Returns the release of its library, or what the program printed. */
function release(directory: string, app: string): string {
  writeFileSync(join(directory, "main.js"), app);
  const { stdout, stderr } = spawnSync("node", ["main.js"], { cwd: directory, encoding: "utf8" });
  return (stdout + stderr).trim();
}

const OWN = 'const { ConsoleProvider, Secret } = require("cdktf-console");';
const appOn = (library: Library) => `const { App, TerraformStack } = require("${library}");`;
const STACK = `
const stack = new TerraformStack(new App(), "production");
new ConsoleProvider(stack, "console", { password: Secret.fromEnv("CONSOLE_PASSWORD") });
console.log(stack.node.tryGetContext("cdktfVersion"));
`;

const RELEASES = { cdktf: "0.21.0", cdktn: "0.24.0" };

describe.each(LIBRARIES)("an app on %s", (library) => {
  test("has its library if both are installed", () => {
    const directory = installed(LIBRARIES);
    expect(release(directory, appOn(library) + OWN + STACK)).toBe(RELEASES[library]);
  });

  test("imports it last if its package.json names no other one", () => {
    const directory = installed(LIBRARIES, [library]);
    expect(release(directory, OWN + appOn(library) + STACK)).toBe(RELEASES[library]);
  });

  test("needs no other one", () => {
    const directory = installed([library], []);
    expect(release(directory, OWN + appOn(library) + STACK)).toBe(RELEASES[library]);
  });
});

test("an app that mixes both libraries is refused", () => {
  const printed = release(installed(LIBRARIES), OWN + appOn("cdktn") + STACK);
  expect(printed).toContain(
    "Error: The app runs on release 0.24.0 of cdktf or cdktn, and cdktf-console on cdktf 0.21.0.",
  );
});

test("an app without a library learns what to install", () => {
  expect(release(installed([]), OWN)).toContain(
    'Error: Neither cdktf nor cdktn is installed, and the constructs of cdktf-console need one of them. Run "npm install cdktf@',
  );
});
