import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { version } from "../../package.json";
import { packedPackage } from "../support/packed-package";
import { testWhere } from "../support/requirement";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";

const ROOT = join(__dirname, "../..");
/** The command line that users run. */
const CLI = packedPackage().cli;

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function start(directory: string, argv: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...argv], {
    cwd: directory,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...SECRETS },
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
  const main = readFileSync(join(ROOT, "dist/cli/main.js"), "utf8");
  expect(/\bZod\w*\b/.test(main)).toBe(false);
});

test("no command needs the library of constructs, which may be cdktn or cdktf", () => {
  const folder = join(ROOT, "dist/cli");
  const bundles = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const needing = bundles.filter((name) =>
    /require\("cdkt[fn]"\)/.test(readFileSync(join(folder, name), "utf8")),
  );
  expect(bundles.length).toBeGreaterThan(5);
  expect(needing).toEqual([]);
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

test("reviews show the values of the plan", async () => {
  const directory = temporaryFolder();
  const input = {
    large: "${pow(2, 70)}",
    precise: "${1 / 3}",
    set: '${toset(["b", "a"])}',
    typedNull: "${tostring(null)}",
    unknown: "${terraform_data.other.id}",
  };
  const stack = { resource: { terraform_data: { one: { input }, other: {} } } };
  const out = writeStacks(directory, { prod: stack });
  const reviews = ["--markdown", "plan.md", "--html", "plan.html"];
  const planned = await run(directory, "plan", "--out-dir", out, ...reviews);
  expect(planned).toMatchObject({ code: 0 });
  const lines = planned.out.split("\n").filter((line) => / [\w"]+ += /.test(line));
  expect(lines.join("\n")).toMatch(/large += 11805\d+\n.*precise += 0.3333/);
  const words = (text: string) => text.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
  for (const review of ["plan.md", "plan.html"]) {
    const text = words(readFileSync(join(directory, review), "utf8"));
    for (const line of lines) expect(text).toContain(words(line));
  }
});

test("prints its version, and refuses an unapproved apply and an unknown command", async () => {
  const directory = temporaryFolder();
  expect(await run(directory, "--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  const refused = await run(directory, "apply", "--no-input");
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("Error: Not approved");
  expect(await run(directory, "aply")).toMatchObject({ code: 1, out: "" });
});

test("exits silently when the reader of its output closes the pipe", async () => {
  const { child, ended } = start(temporaryFolder(), ["plan", "--help"]);
  child.stdout.destroy();
  expect((await ended).err).toBe("");
});

testWhere(
  { isMet: existsSync("/proc/self/fdinfo"), reason: "only Linux has /proc" },
  "warns that standard output is closed, and not of one that is discarded",
  async () => {
    const help = `"${process.execPath}" "${CLI}" --help`;
    const closed = await promisify(execFile)("sh", ["-c", `${help} >&-`]);
    expect(closed.stderr).toMatch(/Standard output is closed[^]*Remove ">&-", or redirect/);
    const discarded = await promisify(execFile)("sh", ["-c", `${help} > /dev/null`]);
    expect(discarded).toEqual({ stdout: "", stderr: "" });
  },
);

testWhere(
  { isMet: existsSync("/dev/full"), reason: "only Linux has a device that is always full" },
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
