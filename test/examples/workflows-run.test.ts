import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { startSimulator, type Simulator } from "../../src/simulator";
import { packedPath, packedProject } from "../support/packed-package";
import { StateServer } from "../support/state-server";

// The commands of the workflows in the project of `init`, each run twice on one commit as two pipelines
// run them.

jest.setTimeout(600_000);

const ROOT = join(__dirname, "../..");
const CREDENTIALS = "ci:token-of-high-entropy";

/** The lines of a workflow that call the command line, in the order of the file. */
function commandsOf(file: string): readonly string[] {
  const lines = (value: unknown): string[] => {
    if (typeof value === "string") return value.match(/npx cdktf-console [^\n]+/g) ?? [];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(lines) : [];
  };
  return lines(parse(readFileSync(join(ROOT, "examples/workflows", file), "utf8")));
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
  const address = server.url();
  const [TF_HTTP_USERNAME, TF_HTTP_PASSWORD] = CREDENTIALS.split(":");
  const environment = {
    PATH: packedPath(),
    HOME: folder,
    CONSOLE_URL: simulator.consoles[0].url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    STACK: "production",
    WORKSPACE: "production",
    PLANFILE: "atlantis.plan",
    SHOWFILE: "atlantis.json",
    GATE: "--fail-on weaker",
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
    outputs.push(output);
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

test.each(["github-actions.yml", "gitlab-ci.yml", "atlantis.yaml"])(
  "%s applies what it planned, and its second run has nothing to do",
  async (file) => {
    const commands = commandsOf(file);
    expect(commands.at(-1)).toContain(" apply ");
    const first = await pipeline(commands, "first");
    expect(first.join("\n")).toContain("Plan: 4 to add, 0 to change, 0 to destroy.");
    expect(first.at(-1)).toContain("Apply complete! Resources: 4 added, 0 changed, 0 destroyed.");
    expect(server.json().resources).toHaveLength(4);
    const second = await pipeline(commands, "second");
    expect(second.join("\n")).toContain("No changes.");
    expect(second.at(-1)).toContain("Resources: 0 added, 0 changed, 0 destroyed.");
    expect(server.lockedBy()).toBeUndefined();
  },
);
