import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { packedPackage } from "../support/packed-package";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

// Input from outside that is too large, does not end, or is of another kind.

const STACK: StackJson = {
  variable: { secret: { type: "string", sensitive: true, ephemeral: true } },
  resource: { null_resource: { gate: {} } },
};
const CLI = packedPackage().cli;
const GIVEN = ["--var", "secret=s"];

function app() {
  const directory = temporaryFolder();
  writeStacks(directory, { first: STACK, second: STACK, third: STACK });
  return {
    at: (name: string) => join(directory, name),
    plan: async (...argv: readonly string[]) => {
      const terminal = new TestTerminal({ directory });
      const code = await terminal.run("plan", ...argv, "--out-dir", "cdktf.out");
      // Without the breaks of wrapped lines.
      return { code, err: terminal.err.replace(/\n(?=\S)/g, " ") };
    },
  };
}

describe("--stacks-from", () => {
  test("refuses a FIFO, and does not wait for its writer", async () => {
    const { at, plan } = app();
    execFileSync("mkfifo", [at("fifo")]);
    const { code, err } = await plan("--stacks-from", "fifo", ...GIVEN);
    expect(code).toBe(1);
    expect(err).toContain("fifo: is not a regular file.");
  });

  test("refuses a binary file", async () => {
    const { at, plan } = app();
    writeFileSync(at("list"), Buffer.concat([Buffer.of(0), randomBytes(100_000)]));
    const { code, err } = await plan("--stacks-from", "list", ...GIVEN);
    expect(code).toBe(1);
    expect(err).toContain("list: is not a text file.");
  });

  test("reports some of many unknown names, and counts the others", async () => {
    const { at, plan } = app();
    const names = Array.from({ length: 200_000 }, (_, index) => `unknown-${index}`);
    writeFileSync(at("list"), names.join("\n"));
    const { code, err } = await plan("--stacks-from", "list", ...GIVEN);
    expect(code).toBe(1);
    expect(err.match(/There is no stack named/g)).toHaveLength(10);
    expect(err).toContain("199990 more names and patterns match no stack.");
  });

  test("refuses a pattern that is longer than any name", async () => {
    const { at, plan } = app();
    writeFileSync(at("list"), "[".repeat(1_000_000));
    const { code, err } = await plan("--stacks-from", "list", ...GIVEN);
    expect(code).toBe(1);
    expect(err).toContain("has more than 1000 characters.");
    expect(err.length).toBeLessThan(1000);
  });

  test("reads the pipe of a shell's <(command)", () => {
    const { at } = app();
    const line = `"$NODE" "$CLI" plan --out-dir cdktf.out --var secret=s --expand --stacks-from <(sleep 0.2; echo second; echo third)`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", line], {
      cwd: at("."),
      env: { ...process.env, NODE: process.execPath, CLI },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Stack second");
    expect(stdout).not.toContain("Stack first");
  });
});

describe("a pattern", () => {
  test.each(["[😀-ﬀ]*", "{", "[z-a]", "\ud800*", "[\udfff-\ud800]"])(
    "%j is no internal error",
    async (pattern) => {
      const { code, err } = await app().plan(pattern, ...GIVEN);
      expect(code).toBe(1);
      expect(err).toContain("Error: No stack matches");
      expect(err).not.toContain("Internal error");
    },
  );
});

describe("--secrets-command", () => {
  test("that prints without end is ended", async () => {
    const { code, err } = await app().plan("--secrets-command", "cat /dev/zero");
    expect(code).toBe(1);
    expect(err).toContain("Error: Secrets command failed");
    expect(err).toContain(
      '"cat" of --secrets-command was ended because it printed more than 16 MiB.',
    );
  });

  test("that leaves a program in the background is not waited for", async () => {
    const command = `sh -c 'sleep 1000 & echo $! > pid; echo "{\\"secret\\": \\"s\\"}"'`;
    const { at, plan } = app();
    const { code, err } = await plan("--secrets-command", command);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    execFileSync("sh", ["-c", 'kill "$(cat pid)"'], { cwd: at(".") });
  });
});
