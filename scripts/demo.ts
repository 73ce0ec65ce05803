/**
 * Runs the quickstart against an embedded console with the commands of a user. Needs only Node and
 * this checkout, and removes its files.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConsoleClient } from "cdktf-console/client";
import { startSimulator } from "cdktf-console/simulator";

const root = join(__dirname, "..");
const app = `${quoted(join(root, "node_modules/.bin/tsx"))} ${quoted(join(root, "examples/quickstart/main.ts"))}`;
const username = "admin";
const password = "demo-only-password";

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdktf-console-demo-"));
  const simulator = await startSimulator();
  try {
    const [served] = simulator.consoles;
    say(`An embedded console serves ${served.url}: fresh, HTTPS with its own authority.`);
    const environment = {
      ...process.env,
      CONSOLE_URL: served.url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: username,
      CONSOLE_PASSWORD: password,
      CONSOLE_LICENSE_KEY: "demo-only-license",
    };
    const command = (...args: string[]) => cdktfConsole(args, folder, environment);

    say("$ cdktf-console synth");
    await command("synth", "--app", app);
    say("$ cdktf-console plan");
    await command("plan", "--out-dir", "cdktf.out");
    say("$ cdktf-console apply --auto-approve");
    await command("apply", "--out-dir", "cdktf.out", "--auto-approve");
    say("$ cdktf-console plan");
    await expectNoChanges(command);

    say("The console's policies, in the order in which it applies them:");
    const client = new ConsoleClient({
      baseUrl: served.url,
      credentials: { method: "token-login", username, password },
      tls: { ca: simulator.ca },
    });
    const { items } = await client.read("policies");
    for (const [index, { name }] of items.entries()) console.log(`  ${index + 1}. ${name}`);
    await client.close();

    say("The state is lost, the console is not. $ cdktf-console apply --auto-approve");
    await rm(join(folder, "terraform.quickstart.tfstate"));
    await command("apply", "--out-dir", "cdktf.out", "--auto-approve");
    say("$ cdktf-console plan");
    await expectNoChanges(command);
  } finally {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Fails if there are changes, which exit code 2 reports. */
async function expectNoChanges(command: (...args: string[]) => Promise<void>): Promise<void> {
  await command("plan", "--out-dir", "cdktf.out", "--detailed-exitcode");
}

/** Runs the built command in its own folder; rejects unless it exits with 0. */
function cdktfConsole(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
      cwd,
      env,
      stdio: "inherit",
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`cdktf-console ${args.join(" ")} exited with ${String(code)}`));
    });
  });
}

function say(line: string): void {
  console.log(`\n── ${line}`);
}

function quoted(path: string): string {
  return `"${path}"`;
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exitCode = 1;
});
