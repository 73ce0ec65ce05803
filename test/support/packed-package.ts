import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { KEPT_FOLDER } from "./kept-folder";
import { findProgram } from "./requirement";

const ROOT = join(__dirname, "../..");

/** Packages that a new project installs, and that the checkout has. test/first-steps installs all. */
const INSTALLED = ["@cdktn/hcl2json", "@types/node", "cdktf", "constructs", "tsx", "typescript"];
const PROGRAMS = { "cdktf-console": "cdktf-console/dist/cli.js", tsx: "tsx/dist/cli.mjs" };

const DRAFT = "draft-";

/** Installs the packed file where tests have no registry; test/first-steps runs npm itself. */
const NPM = `#!/bin/sh
[ "$1" = pack ] && exec "${findProgram("npm") ?? ""}" "$@"
[ "$1" = install ] && [ -f "$2" ] && exec ln -s "$(dirname "$(dirname "$0")")" node_modules
echo "npm $*: only the packed file can be installed here" >&2
exit 1
`;

/** The package as `npm pack` writes it, and as npm installs it. */
export interface PackedPackage {
  readonly tarball: string;
  /** A `node_modules` with the unpacked package and its dependencies, and nothing else. */
  readonly modules: string;
  /** The programs in it: the command line, and the provider. */
  readonly cli: string;
  readonly provider: string;
}

let present: PackedPackage | undefined;

/**
 * Packs and installs the package as `npm test` has built it, far from this checkout, so that nothing
 * of the checkout can be loaded. All tests of one build share the folder, and a suite keeps to the
 * build that it began with.
 */
export function packedPackage(): PackedPackage {
  return (present ??= packed());
}

function packed(): PackedPackage {
  if (!existsSync(join(ROOT, "dist"))) execFileSync("npm", ["run", "build"], { cwd: ROOT });
  const builds = join(KEPT_FOLDER, `cdktf-console-packed-${digest([ROOT, process.getuid?.()])}`);
  const folder = installed(builds);
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const modules = join(folder, "node_modules");
  return {
    tarball: join(folder, tarball),
    modules,
    cli: join(modules, PROGRAMS["cdktf-console"]),
    provider: join(modules, "cdktf-console/dist/provider.js"),
  };
}

/** Writes the project of `init` of the packed package into a new folder, with its packages. */
export function packedProject(directory: string): string {
  const { modules, cli } = packedPackage();
  execFileSync(process.execPath, [cli, "init", directory, "--no-install"], { stdio: "pipe" });
  symlinkSync(modules, join(directory, "node_modules"));
  return directory;
}

/** A PATH on which `npx PROGRAM` runs the programs of the packages, without the time that npm takes. */
export function packedPath(...folders: readonly string[]): string {
  return [...folders, join(packedPackage().modules, ".bin"), process.env.PATH].join(delimiter);
}

/** A build that runs meanwhile removes files and writes them again. */
const MOST_ATTEMPTS = 120;

/** Returns the folder of the present build, where the package is installed completely. */
function installed(builds: string): string {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const built = digest(filesOf(join(ROOT, "dist")));
      const folder = join(builds, digest([built, ...shippedFiles()]));
      if (!existsSync(folder)) install(builds, folder, built);
      return folder;
    } catch (failure) {
      if (attempt === MOST_ATTEMPTS) throw failure;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    }
  }
}

/** Elsewhere first, so that what is there is whole; the first of several processes wins. */
function install(builds: string, folder: string, built: string): void {
  mkdirSync(builds, { recursive: true, mode: 0o700 });
  const older = readdirSync(builds).filter((name) => !name.startsWith(DRAFT));
  const draft = mkdtempSync(join(builds, DRAFT));
  const modules = join(draft, "node_modules");
  const own = join(modules, "cdktf-console");
  mkdirSync(own, { recursive: true });
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", draft], {
    cwd: ROOT,
    stdio: "pipe",
  });
  const [tarball = ""] = readdirSync(draft).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["xzf", join(draft, tarball), "--strip-components", "1", "-C", own]);
  if (digest(filesOf(join(own, "dist"))) !== built) {
    rmSync(draft, { recursive: true });
    throw new Error("dist changed while it was packed");
  }
  for (const name of INSTALLED) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  const bin = join(modules, ".bin");
  mkdirSync(bin);
  for (const [name, path] of Object.entries(PROGRAMS)) {
    symlinkSync(join("..", path), join(bin, name));
  }
  writeFileSync(join(bin, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  writeFileSync(join(bin, "npm"), NPM, { mode: 0o755 });
  const lock = { packages: { "node_modules/cdktf-console": { resolved: `file:${tarball}` } } };
  writeFileSync(join(modules, ".package-lock.json"), JSON.stringify(lock));
  try {
    renameSync(draft, folder);
    for (const name of older) rmSync(join(builds, name), { recursive: true, force: true });
  } catch (failure) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw failure;
  }
}

/** Paths and contents of all files in a folder. */
function filesOf(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((file) => [relative(folder, file), readFileSync(file)]);
}

/** Paths and contents of what `npm pack` takes, and of what `!` leaves out in a folder. */
function shippedFiles(): readonly unknown[] {
  const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    files: readonly string[];
  };
  const taken = files.filter((name) => !name.startsWith("!"));
  return ["package.json", "test/support/packed-package.ts", ...taken].flatMap((name) => {
    const path = join(ROOT, name);
    const isFile = basename(path).includes(".");
    const found = isFile ? [name] : readdirSync(path, { recursive: true, withFileTypes: true });
    return found.flatMap((entry) => {
      if (typeof entry === "string") return [entry, readFileSync(path)];
      const file = join(entry.parentPath, entry.name);
      return entry.isFile() ? [file, readFileSync(file)] : [];
    });
  });
}

function digest(parts: readonly unknown[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(Buffer.isBuffer(part) ? part : String(part)).update("\0");
  return hash.digest("hex").slice(0, 16);
}
