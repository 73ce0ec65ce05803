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
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { version } from "../../package.json";
import { packedPackage } from "../support/packed-package";
import { temporaryFolder } from "../support/terraform-project";

const ROOT = join(__dirname, "../..");
const DRAFT = "draft-";

/**
 * The files of a release of the present build. Executables are built only where the package or the
 * scripts have changed, and earlier ones are removed.
 */
export function releaseFolder(): string {
  const builds = join(tmpdir(), `cdktf-console-releases-${process.getuid?.() ?? ""}`);
  const folder = join(builds, digest());
  if (existsSync(folder)) return folder;
  mkdirSync(builds, { recursive: true, mode: 0o700 });
  const older = readdirSync(builds).filter((name) => !name.startsWith(DRAFT));
  const draft = mkdtempSync(join(builds, DRAFT));
  try {
    buildRelease(draft);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  for (const name of older) rmSync(join(builds, name), { recursive: true, force: true });
  return folder;
}

/** Unpacks the command of a platform, and returns the folder. */
export function unpackCommand(platform: string): string {
  const folder = temporaryFolder();
  const archive = join(releaseFolder(), `cdktf-console_${version}_${platform}.tar.gz`);
  execFileSync("tar", ["xzf", archive, "-C", folder]);
  return folder;
}

/** Builds the archives of some platforms, by default all. */
export function buildRelease(folder: string, ...platforms: readonly string[]): void {
  const tsx = join(ROOT, "node_modules/tsx/dist/cli.mjs");
  execFileSync(process.execPath, [tsx, "scripts/release.ts", folder, ...platforms], {
    cwd: ROOT,
    env: { ...process.env, RELEASE_SIGNING_KEY: "" },
    stdio: "pipe",
  });
}

/** Of all that a release is built from. */
function digest(): string {
  const hash = createHash("sha256").update(basename(dirname(packedPackage().tarball)));
  const scripts = readdirSync(join(ROOT, "scripts/release")).map((name) => `release/${name}`);
  for (const name of ["release.ts", "sbom.ts", ...scripts.sort()]) {
    hash.update(readFileSync(join(ROOT, "scripts", name)));
  }
  for (const name of ["src/cli/executable.ts", "docs/executables.md"]) {
    hash.update(readFileSync(join(ROOT, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
