import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { startSimulator, type Simulator } from "../../src/simulator";
import { LONG_TESTS } from "../support/cases";
import { packedPackage, packedPath, packedProject } from "../support/packed-package";

// The examples that run `status` by the clock, in the project of `init` of the packed package.

jest.setTimeout(600_000);

const EXAMPLES = join(packedPackage().modules, "cdktf-console/examples/tenants");

let simulator: Simulator;
let folder: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  simulator = await startSimulator();
  folder = mkdtempSync(join(tmpdir(), "cdktf-console-status-"));
  packedProject(folder);
  environment = {
    PATH: packedPath(),
    TMPDIR: process.env.TMPDIR,
    HOME: folder,
    GITHUB_OUTPUT: join(folder, "outputs"),
    CONSOLE_URL: simulator.consoles[0].url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: "correct-horse-battery",
    CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
  };
});
afterEach(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(command: string) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn("sh", ["-c", command], { cwd: folder, env: environment });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
}

const read = (name: string) => readFileSync(join(folder, name), "utf8");

const github = z.object({
  jobs: z.object({
    status: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }),
  }),
});

test("status-github-actions.yml reports the code of a new console, and of a quiet one", async () => {
  const file = readFileSync(join(EXAMPLES, "status-github-actions.yml"), "utf8");
  const steps = github.parse(parse(file)).jobs.status.steps.flatMap(({ run: step }) => step ?? []);
  const own = steps.filter((step) => !/^npm ci|\bgh /.test(step));
  expect(own).toHaveLength(2);
  for (const code of [1, 0]) {
    for (const step of own) expect(await run(step)).toMatchObject({ code: 0 });
    expect(read("outputs").trim().split("\n").at(-1)).toBe(`code=${code}`);
    expect(read("status.md")).toMatch(
      code === 0 ? /^### Quiet/ : /^### 1 of 1 stack needs a person/,
    );
    expect(existsSync(join(folder, "status.html"))).toBe(true);
    expect((await run("npx cdktf-console apply --auto-approve")).code).toBe(0);
  }
});

if (LONG_TESTS) {
  test("status-gitlab-ci.yml ends with the code of status", async () => {
    const file = readFileSync(join(EXAMPLES, "status-gitlab-ci.yml"), "utf8");
    const { status } = z
      .object({ status: z.object({ script: z.array(z.string()) }) })
      .parse(parse(file));
    const script = status.script.join(" && ");
    expect((await run(script)).code).toBe(1);
    expect((await run("npx cdktf-console apply --auto-approve")).code).toBe(0);
    expect((await run(script)).code).toBe(0);
  });
}

test("status.sh keeps a document for each day", async () => {
  expect((await run("npx cdktf-console apply --auto-approve")).code).toBe(0);
  expect(await run(`sh ${join(EXAMPLES, "status.sh")}`)).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, "trend"))).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d\.json$/) as string,
  ]);
  expect(read("wall.html")).toContain("Quiet: 1 stack.");
});
