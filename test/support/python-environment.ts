import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The file whose presence says that an environment is complete, because it cannot be moved. */
const MARKER = "installed";

export function isPythonEnvironment(folder: string): boolean {
  return existsSync(join(folder, MARKER));
}

/** Installs a package in an environment of Python, if it is not there; needs Python 3 with venv. */
export function installPython(folder: string, requirement: string, finish = () => undefined): void {
  if (isPythonEnvironment(folder)) return;
  rmSync(folder, { recursive: true, force: true });
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { stdio: "inherit" });
  run("python3", "-m", "venv", folder);
  run(join(folder, "bin/pip"), "install", "--quiet", requirement);
  finish();
  writeFileSync(join(folder, MARKER), "");
}
