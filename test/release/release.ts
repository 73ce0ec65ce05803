import { execFileSync } from "node:child_process";
import { createHash, type Hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { version } from "../../package.json";
import { LONG_TESTS } from "../support/cases";
import { KEPT_FOLDER } from "../support/kept-folder";
import { packedPackage } from "../support/packed-package";
import { temporaryFolder } from "../support/terraform-project";
import { PLATFORMS } from "./registry";

const ROOT = join(__dirname, "../..");
const LOCK = "lock";

/** Compression takes most of the time of a build. */
const PACKING = LONG_TESTS ? {} : { RELEASE_STORED: "1" };

/**
 * The files of a release of the present build. Executables are built only where the package or the
 * scripts have changed, by one process, and earlier ones are removed.
 */
export function releaseFolder(): string {
  const builds = join(KEPT_FOLDER, `cdktf-console-releases-${process.getuid?.() ?? ""}`);
  const folder = join(builds, digest());
  mkdirSync(builds, { recursive: true, mode: 0o700 });
  while (!existsSync(folder)) {
    const release = lock(join(builds, LOCK));
    if (!release) continue;
    try {
      if (existsSync(folder)) break;
      for (const name of readdirSync(builds).filter((one) => one !== LOCK)) {
        rmSync(join(builds, name), { recursive: true, force: true });
      }
      const draft = mkdtempSync(join(builds, "draft-"));
      buildRelease(draft, ...PLATFORMS);
      renameSync(draft, folder);
    } finally {
      release();
    }
  }
  return folder;
}

/** Takes a lock, or waits a second for the process that has it. */
function lock(file: string): (() => void) | undefined {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return () => {
      rmSync(file, { force: true });
    };
  } catch {
    const holder = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (holder > 0 && !existsSync(`/proc/${holder}`)) rmSync(file, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    return undefined;
  }
}

/** Unpacks the command of a platform, and returns the folder. */
export function unpackCommand(platform: string): string {
  const folder = temporaryFolder();
  const archive = join(releaseFolder(), `cdktf-console_${version}_${platform}.tar.gz`);
  execFileSync("tar", ["xzf", archive, "-C", folder]);
  return folder;
}

/** Builds the archives of some platforms. */
export function buildRelease(folder: string, ...platforms: readonly string[]): void {
  const tsx = join(ROOT, "node_modules/tsx/dist/cli.mjs");
  execFileSync(process.execPath, [tsx, "scripts/release.ts", folder, ...platforms], {
    cwd: ROOT,
    // The Node of each platform is kept.
    env: { ...process.env, ...PACKING, RELEASE_SIGNING_KEY: "", TMPDIR: KEPT_FOLDER },
    stdio: "pipe",
  });
}

/** The digest of all that a release is built from, but for its page. */
function digest(): string {
  const hash = createHash("sha256").update(JSON.stringify([PLATFORMS, PACKING]));
  const { cli } = packedPackage();
  for (const file of ["package.json", "LICENSE", "dist", "examples/hcl", "examples/synthesized"]) {
    addTo(hash, join(cli, "../..", file));
  }
  for (const file of ["release", "release.ts", "sbom.ts"]) addTo(hash, join(ROOT, "scripts", file));
  addTo(hash, join(ROOT, "src/cli/executable.ts"));
  return hash.digest("hex").slice(0, 16);
}

function addTo(hash: Hash, path: string): void {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) addTo(hash, join(path, name));
  } else hash.update(basename(path)).update(readFileSync(path));
}
