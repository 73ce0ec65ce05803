import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { protecting } from "../review/protection/sets";
import { packedPackage } from "../support/packed-package";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const OUT = ["--out-dir", "cdktf.out"];
const FILES = ["r.json", "r.md", "r.sarif", "r.xml"] as const;
const REVIEWS = ["--review-json", "r.json", "--markdown", "r.md", "--sarif", "r.sarif"];
const PLAN = ["plan", ...OUT, ...REVIEWS, "--junit", "r.xml", "--html", "r.html"];

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
});
afterAll(() => simulator.close());

const write = (...checks: readonly string[]) => {
  const policies = [protecting("root", { namespaces: ["prod-*"] }, ...checks)];
  writeStacks(directory, { prod: policyStack(simulator, policies) });
};
const run = (...argv: readonly string[]) =>
  new TestTerminal({ directory, environment: SECRETS }).run(...argv);

/** The command line that users run: what renders reviews is a separate file. */
const runPacked = (...argv: readonly string[]) =>
  new Promise<number | null>((resolve) => {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...SECRETS };
    const cli = packedPackage().cli;
    spawn(process.execPath, [cli, ...argv], { cwd: directory, env, stdio: "ignore" }).on(
      "close",
      resolve,
    );
  });
const read = () =>
  Object.fromEntries(FILES.map((file) => [file, readFileSync(join(directory, file), "utf8")]));

test("the package writes the reviews that the sources write, with what weakens and who waives it", async () => {
  write("599", "41");
  expect(await run("apply", ...OUT, "--auto-approve")).toBe(0);
  write("~599");
  const waiver = {
    ...{ where: { namespaces: ["prod-*"] }, checks: { 599: { from: "block", to: "alert" } } },
    ...{ owner: "security", reason: "until the migration", expires: "2999-01-01" },
  };
  for (const waivers of [
    [],
    [{ ...waiver, checks: { ...waiver.checks, 41: { from: "block", to: "none" } } }],
  ]) {
    writeFileSync(join(directory, "protection.json"), JSON.stringify({ version: 1, waivers }));
    expect(await run(...PLAN)).toBe(0);
    const expected = read();
    expect(expected["r.json"]).toContain('"change":"weaker"');
    expect(expected["r.json"]?.includes("waived_by")).toBe(waivers.length > 0);
    expect(await runPacked(...PLAN)).toBe(0);
    expect(read()).toEqual(expected);
    expect(readFileSync(join(directory, "r.html"), "utf8")).toContain("weakens protection");
  }
});
