import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const ROOT = join(__dirname, "../..");

/** All files of the checkout that git does not ignore, by their paths in it. */
export function trackedFiles(): readonly string[] {
  const argv = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const files = execFileSync("git", argv, { cwd: ROOT, encoding: "utf8" }).split("\0");
  return files.filter((file) => file !== "" && existsSync(join(ROOT, file)));
}

/** Copies the checkout to a new folder, where a source can have a fault. */
export function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-loop-"));
  for (const file of trackedFiles()) cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}
