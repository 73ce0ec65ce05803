/**
 * Installs cdktf for Python for the tests of this folder; needs Python 3 with venv. Later runs use
 * the same installation.
 *
 *   tsx test/cdktf-cli/install-python.ts
 */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSION = "0.21.0";
/** Environments of Python cannot be moved, so this one is complete when its marker is there. */
const FOLDER = join(tmpdir(), `cdktf-python-${VERSION}-of-cdktf-console`);
const PACKAGE = `lib/cdktf-${VERSION}.installed`;

/** The folder of `python3` with cdktf, where it is installed. */
export const PYTHON_BIN = join(FOLDER, "bin");

export function isPythonInstalled(): boolean {
  return existsSync(join(FOLDER, PACKAGE));
}

function install(): void {
  if (isPythonInstalled()) return;
  rmSync(FOLDER, { recursive: true, force: true });
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { stdio: "inherit" });
  run("python3", "-m", "venv", FOLDER);
  run(join(PYTHON_BIN, "pip"), "install", "--quiet", `cdktf==${VERSION}`);
  run("touch", join(FOLDER, PACKAGE));
}

if (require.main === module) install();
