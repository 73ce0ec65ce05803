import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const ROOT = resolve(__dirname, "../..");

/** A copy of the tree with what git would list, which a suite changes. */
export interface TreeCopy {
  path(file: string): string;
  read(file: string): string;
  /** Returns the output of `npm run generate`. */
  generate(...args: readonly string[]): string;
  /** Runs a program of node_modules in the copy; returns what it prints. */
  run(program: string, ...args: readonly string[]): string;
}

/** Copies the tree before the tests of a suite, and removes the copy after them. */
export function copyOfTree(): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-contributing-"));
  const run: TreeCopy["run"] = (program, ...args) => {
    const file = join("node_modules", program);
    const { stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
      cwd: folder,
      encoding: "utf8",
    });
    return stdout + stderr;
  };
  beforeAll(() => {
    const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    const files = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" });
    for (const file of files.split("\0")) {
      const path = join(ROOT, file);
      // Deleted files are listed until the deletion is staged.
      if (file !== "" && existsSync(path)) cpSync(path, join(folder, file));
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path: (file) => join(folder, file),
    read: (file) => readFileSync(join(folder, file), "utf8"),
    generate: (...args) => run("tsx/dist/cli.mjs", "scripts/generate.ts", ...args),
    run,
  };
}

/** The text with `inserted` before the anchor, which has to be there. */
export function insertBefore(text: string, anchor: string, inserted: string): string {
  expect(text).toContain(anchor);
  return text.replace(anchor, () => inserted + anchor);
}
