/**
 * Builds OpenTofu from its module, because its releases are not everywhere to be had; needs Go.
 * Later runs use the same program.
 *
 *   tsx test/opentofu/install.ts
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { TESTED_PROGRAMS } from "../../src/core/documents/tested-programs";
import { KEPT_FOLDER } from "../support/kept-folder";
import { describeWhere, installed } from "../support/requirement";

const [VERSION] = TESTED_PROGRAMS.opentofu;
const FOLDER = join(KEPT_FOLDER, `opentofu-${VERSION}-of-cdktf-console`);
/** Without it the program calls itself a development version. */
const FLAGS = "-s -w -X github.com/opentofu/opentofu/version.dev=no";

/** The program, where it is installed. */
export const TOFU = join(FOLDER, "tofu");

const isInstalled = existsSync(TOFU);

export const OPENTOFU = installed(
  isInstalled,
  "OpenTofu is not installed: npx tsx test/opentofu/install.ts",
);

/** Puts OpenTofu first on PATH for the tests of a file. */
export function putTofuOnPath(): void {
  let path: string | undefined;
  beforeAll(() => {
    path = process.env.PATH;
    process.env.PATH = [dirname(TOFU), path].join(delimiter);
  });
  afterAll(() => {
    process.env.PATH = path;
  });
}

/** Tests that need OpenTofu: skipped where it was not built, but never in CI. */
export function describeWithTofu(promise: string, tests: () => void): void {
  describeWhere(OPENTOFU, promise, tests);
}

function install(): void {
  if (isInstalled) return;
  // Elsewhere first, so that what is there is whole; Go completes the copy of go.mod.
  const folder = mkdtempSync(`${FOLDER}-`);
  try {
    copyFileSync(join(__dirname, "go.mod"), join(folder, "go.mod"));
    const program = "github.com/opentofu/opentofu/cmd/tofu";
    execFileSync("go", ["build", "-mod=mod", "-ldflags", FLAGS, "-o", "tofu", program], {
      cwd: folder,
      stdio: "inherit",
    });
    renameSync(folder, FOLDER);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (require.main === module) install();
