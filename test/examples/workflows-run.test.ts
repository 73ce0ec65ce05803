import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { startSimulator, type Simulator } from "../../src/simulator";
import { slice } from "../support/cases";
import { packedPackage, packedPath, packedProject } from "../support/packed-package";
import { StateServer } from "../support/state-server";

// The commands of the workflows in the project of `init`, each run twice on one commit as two pipelines
// run them.

jest.setTimeout(600_000);

const WORKFLOWS = join(packedPackage().modules, "cdktf-console/examples/workflows");
const CREDENTIALS = "ci:token-of-high-entropy";

/** The scripts of a workflow, in the order of the file; without those of npm and of another server. */
function commandsOf(file: string): readonly string[] {
  const scripts = (value: unknown, name = ""): string[] => {
    if (typeof value === "string") {
      const isScript = ["run", "script"].includes(name);
      return isScript && !/^npm ci|\bgh (api|run|pr)|curl/.test(value) ? [value] : [];
    }
    if (Array.isArray(value)) return value.flatMap((one) => scripts(one, name));
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, one]) => scripts(one, key));
  };
  return scripts(parse(readFileSync(join(WORKFLOWS, file), "utf8")));
}

/** Makes the project a checkout: its base, and the merge of a change, which adds a requirement. */
function commit(checkout: string): void {
  const git = (...argv: string[]) =>
    execFileSync("git", ["-c", "user.name=ci", "-c", "user.email=ci@example.com", ...argv], {
      cwd: checkout,
      stdio: "pipe",
    });
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", checkout);
  git("add", "--all");
  git("commit", "--quiet", "--message", "Base");
  git("checkout", "--quiet", "-b", "change");
  const contract = join(checkout, "protection.yaml");
  const text = readFileSync(contract, "utf8");
  writeFileSync(
    contract,
    text.replace(/# (require:[^]*?block })/, (example) => example.replaceAll(/^# /gm, "")),
  );
  git("commit", "--quiet", "--all", "--message", "Change");
}

let server: StateServer;
let simulator: Simulator;
let folder: string;
beforeEach(async () => {
  server = await StateServer.open(CREDENTIALS);
  simulator = await startSimulator();
  folder = mkdtempSync(join(tmpdir(), "cdktf-console-workflow-"));
});
afterEach(async () => {
  await Promise.all([server.close(), simulator.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the commands in a new checkout, as a new runner does. */
async function pipeline(commands: readonly string[], name: string): Promise<readonly string[]> {
  const checkout = join(folder, name);
  packedProject(checkout);
  execFileSync(process.execPath, [packedPackage().cli, "init", "--contract"], { cwd: checkout });
  commit(checkout);
  const address = server.url();
  const [TF_HTTP_USERNAME, TF_HTTP_PASSWORD] = CREDENTIALS.split(":");
  const environment = {
    PATH: packedPath(),
    TMPDIR: process.env.TMPDIR,
    HOME: folder,
    CONSOLE_URL: simulator.consoles[0].url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    STACK: "production",
    WORKSPACE: "production",
    PLANFILE: "atlantis.plan",
    SHOWFILE: "atlantis.json",
    GITHUB_OUTPUT: join(folder, "outputs"),
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
    BASE_BRANCH_NAME: "main",
    CONSOLE_PASSWORD: "correct-horse-battery",
    CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
    TF_HTTP_ADDRESS: address,
    TF_HTTP_LOCK_ADDRESS: address,
    TF_HTTP_UNLOCK_ADDRESS: address,
    TF_HTTP_USERNAME,
    TF_HTTP_PASSWORD,
  };
  const outputs: string[] = [];
  for (const command of commands) {
    const { code, output } = await run(command, checkout, environment);
    expect({ command, code, output }).toMatchObject({ code: 0 });
    // A part of the comment is no output.
    const comment = command.includes(">> plan.md") ? readFileSync(join(checkout, "plan.md")) : "";
    outputs.push(`${output}${String(comment)}`);
  }
  expect(readdirSync(checkout).filter((file) => file.includes(".tfstate"))).toEqual([]);
  return outputs;
}

function run(command: string, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    child.stderr.on("data", (text: Buffer) => (output += text.toString()));
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
}

test.each(slice(["github-actions.yml", "gitlab-ci.yml", "atlantis.yaml"], 3))(
  "%s applies what it planned, and its second run has nothing to do",
  async (file) => {
    const commands = commandsOf(file);
    expect(commands.at(-1)).toContain(" apply ");
    const first = await pipeline(commands, "first");
    expect(first.join("\n")).toContain("Plan: 4 to add, 0 to change, 0 to destroy.");
    expect(first.at(-1)).toContain("Apply complete! Resources: 4 added, 0 changed, 0 destroyed.");
    expect(server.json().resources).toHaveLength(4);
    // The reviewers of the change see its contract by effect.
    expect(first.join("\n")).toMatch(
      /\+ requirement "no root in production": check 599[^+]*-> block/,
    );
    const second = await pipeline(commands, "second");
    expect(second.join("\n")).toContain("No changes.");
    expect(second.at(-1)).toContain("Resources: 0 added, 0 changed, 0 destroyed.");
    expect(server.lockedBy()).toBeUndefined();
  },
);
