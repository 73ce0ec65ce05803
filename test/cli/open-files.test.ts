import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { packedPackage } from "../support/packed-package";
import { temporaryFolder, writeStacks } from "./stack-files";

// A run over many stacks within a low limit of open files, which applies to a process.

const CLI = packedPackage().cli;
const STACKS = 300;

/** Runs a command line with at most 150 open files. */
function run(directory: string, ...argv: string[]): Promise<{ code: number; out: string }> {
  const script = 'ulimit -n 150; exec "$0" "$@"';
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["-c", script, process.execPath, CLI, ...argv],
      {
        cwd: directory,
        env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
        maxBuffer: 2 ** 28,
      },
      (failure, out, err) => {
        resolve({ code: failure ? Number(failure.code) : 0, out: out + err });
      },
    );
  });
}

test("opens few files at once, however many stacks there are", async () => {
  const directory = temporaryFolder();
  const stack = {
    resource: { null_resource: { a: {}, b: { depends_on: ["null_resource.a"] } } },
  };
  const names = Array.from({ length: STACKS }, (_, index) => `s${index}`);
  writeStacks(directory, Object.fromEntries(names.map((name) => [name, stack])));
  const out = ["--out-dir", "cdktf.out"];

  const applied = await run(directory, "apply", "--auto-approve", ...out);
  expect(applied.out).toContain(`Total of ${STACKS} stacks: ${2 * STACKS} added`);
  expect(applied.code).toBe(0);
  expect((await run(directory, "plan", "--detailed-exitcode", ...out)).code).toBe(0);
  expect(readdirSync(directory).filter((name) => !name.endsWith(".tfstate"))).toEqual([
    "cdktf.out",
  ]);
});
