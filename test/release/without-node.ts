import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../support/requirement";

const ROOT = join(__dirname, "../..");

/** The other programs that the commands of the tests use. */
const OTHERS = ["sh", "curl"];

/**
 * Returns a program that runs another one where there is no Node and nothing of this checkout: in a
 * namespace in which both are hidden, if the system permits it, and with a PATH that has neither.
 *
 * @param folder - for the program
 * @param others - programs that it may start besides
 */
export function withoutNode(
  folder: string,
  program: string,
  others: readonly string[] = [],
): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of [...OTHERS, ...others])
    symlinkSync(findProgram(name) ?? `/missing/${name}`, join(bin, name));
  const file = join(folder, "without-node");
  const node = realpathSync(process.execPath);
  const hide = `mount --bind /dev/null '${node}' && mount -t tmpfs none '${ROOT}'`;
  writeFileSync(
    file,
    `#!/bin/sh
if unshare -rm true 2>/dev/null; then
  exec unshare -rm sh -c "${hide} && PATH='${bin}' exec \\"\\$@\\"" sh '${program}' "$@"
fi
PATH='${bin}' exec '${program}' "$@"
`,
  );
  chmodSync(file, 0o755);
  return file;
}
