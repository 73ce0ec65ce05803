/**
 * Installs cdktf for Python for the tests of this folder; needs Python 3 with venv. Later runs use
 * the same installation.
 *
 *   tsx test/cdktf-cli/install-python.ts
 */
import { join } from "node:path";
import { KEPT_FOLDER } from "../support/kept-folder";
import { installPython, isPythonEnvironment } from "../support/python-environment";

const VERSION = "0.21.0";
const FOLDER = join(KEPT_FOLDER, `cdktf-python-${VERSION}-of-cdktf-console`);

/** The folder of `python3` with cdktf, where it is installed. */
export const PYTHON_BIN = join(FOLDER, "bin");

export function isPythonInstalled(): boolean {
  return isPythonEnvironment(FOLDER);
}

if (require.main === module) installPython(FOLDER, `cdktf==${VERSION}`);
