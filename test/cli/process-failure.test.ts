import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packedPackage } from "../support/packed-package";
import { temporaryFolder, writeStacks } from "./stack-files";

// The process itself: what Node would end with another exit code, or with none.

const CLI = packedPackage().cli;

/** Runs a command line in a process that runs a script first. */
function run(script: string, ...argv: string[]) {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: { resource: { null_resource: { a: {} } } } });
  const first = join(directory, "first.cjs");
  writeFileSync(first, script);
  const child = spawn(process.execPath, ["--require", first, CLI, ...argv], {
    cwd: directory,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => {
      resolve({ code, out, err });
    });
  });
}

const SERVING = `
  const write = process.stdout.write;
  process.stdout.write = function (text, ...more) {
    if (String(text).includes('"url"')) setTimeout(fail);
    return write.call(this, text, ...more);
  };
`;

test.each([
  ["an exception", `${SERVING} const fail = () => { throw new TypeError("oops"); };`],
  ["a rejection", `${SERVING} const fail = () => { Promise.reject(new TypeError("oops")); };`],
])("%s that nothing handles ends the process with 1", async (_, script) => {
  const { code, err } = await run(script, "simulate", "--port", "0");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^\nError: Internal error\n\nThis is a bug in cdktf-console[^]*TypeError: oops/,
  );
  expect(err.match(/Internal error/g)).toHaveLength(1);
});

const PLAN = ["plan", "--out-dir", "cdktf.out"];
const APPLY = ["apply", "--auto-approve", "--json", "--out-dir", "cdktf.out"];
const WAITS = /the command waits for something that no longer happens/;

test("a plan that waits for nothing ends with 1", async () => {
  const script = `require("node:fs/promises").readdir = () => new Promise(() => undefined);`;
  const { code, out, err } = await run(script, ...PLAN);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(WAITS);
});

test("an apply that waits for nothing ends with 1, and its stream with an error", async () => {
  // The journal waits for it.
  const script = `require("node:fs").fdatasync = () => undefined;`;
  const { code, out, err } = await run(script, ...APPLY);
  expect(code).toBe(1);
  expect(err).toMatch(WAITS);
  const last = JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as object;
  expect(last).toMatchObject({ type: "diagnostic", diagnostic: { summary: "Internal error" } });
  expect(out).not.toMatch(/"changes":{[^}]*"operation":"apply"/);
});
