import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";

/** The command line that users run. `npm test` builds it first. */
const ROOT = join(__dirname, "../..");
const CLI = join(ROOT, "dist/cli.js");

beforeAll(async () => {
  if (!existsSync(CLI)) await promisify(execFile)("npm", ["run", "build"], { cwd: ROOT });
});

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function start(directory: string, argv: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...argv], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...SECRETS },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const result: Ended = { code: null, out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (result.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (result.err += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => {
      resolve({ ...result, code });
    });
  });
  return { child, ended, result };
}

const run = (directory: string, ...argv: string[]) => start(directory, argv).ended;

test("starts without the library of schemas, which takes longer to load than all else", () => {
  expect(readFileSync(join(ROOT, "dist/cli/main.js"), "utf8")).not.toMatch(/\bZod\w*\b/);
});

test("serves a console, applies a stack and plans no further changes", async () => {
  const directory = temporaryFolder();
  const simulator = start(directory, ["simulate", "--port", "0"]);
  const line = await new Promise<string>((resolve) => simulator.child.stdout.once("data", resolve));
  const { url, caFile } = JSON.parse(line) as { url: string; caFile: string };
  const stack = consoleStack({ consoles: [{ url }], caFile });
  const out = writeStacks(directory, { prod: stack });

  const applied = await run(directory, "apply", "--auto-approve", "--out-dir", out);
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toContain("Apply complete! Resources: 3 added, 0 changed, 0 destroyed.");
  const planned = await run(directory, "plan", "--detailed-exitcode", "--out-dir", out);
  expect(planned).toMatchObject({ code: 0, err: "" });
  expect(planned.out).toContain("No changes. Your infrastructure matches the configuration.");

  simulator.child.kill("SIGTERM");
  expect(await simulator.ended).toMatchObject({ code: 0, err: "" });
});

test("reviews show values known after apply", async () => {
  const directory = temporaryFolder();
  const stack = { resource: { null_resource: { gate: { triggers: { release: "20.12" } } } } };
  const out = writeStacks(directory, { prod: stack });
  const reviews = ["--markdown", "plan.md", "--html", "plan.html"];
  expect(await run(directory, "plan", "--out-dir", out, ...reviews)).toMatchObject({ code: 0 });
  for (const review of ["plan.md", "plan.html"]) {
    const text = readFileSync(join(directory, review), "utf8").replaceAll(/<[^>]*>/g, "");
    expect(text).toMatch(/ id +=\s+\(known after apply\)/);
  }
});

test("prints its version, and refuses an unapproved apply and an unknown command", async () => {
  const directory = temporaryFolder();
  expect(await run(directory, "--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  const refused = await run(directory, "apply");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("Error: Not approved");
  expect(await run(directory, "aply")).toMatchObject({ code: 1, out: "" });
});

test("exits silently when the reader of its output closes the pipe", async () => {
  const { child, ended } = start(temporaryFolder(), ["plan", "--help"]);
  child.stdout.destroy();
  expect((await ended).err).toBe("");
});

// A Linux device that is always full.
(existsSync("/dev/full") ? test : test.skip)(
  "reports a full disk behind standard output",
  async () => {
    const command = `"${process.execPath}" "${CLI}" --help > /dev/full`;
    const failed: unknown = await promisify(execFile)("sh", ["-c", command]).catch(
      (failure: unknown) => failure,
    );
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Standard output cannot be written") as string,
    });
  },
);
