/**
 * Applies the stacks of this folder to embedded consoles, one for each tenant:
 *
 *   npx tsx examples/tenants/rehearse.ts 20
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startSimulator } from "cdktf-console/simulator";

const cli = join(dirname(require.resolve("cdktf-console/package.json")), "dist/cli.js");
// The app runs in another folder, so it gets the loader of this process.
const app = [process.execPath, ...process.execArgv, join(__dirname, "main.ts")]
  .map((word) => JSON.stringify(word))
  .join(" ");

async function main(tenants: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "cdktf-console-tenants-"));
  const simulator = await startSimulator({ tenants });
  const environment = {
    ...process.env,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_PASSWORD: "rehearsal-only-password",
    CONSOLE_LICENSE_KEY: "rehearsal-only-license",
    TENANTS_FILE: join(directory, "tenants.csv"),
  };
  const rows = simulator.consoles.map(({ name, url }) => `${name},${url}`);
  writeFileSync(environment.TENANTS_FILE, ["name,url", ...rows, ""].join("\n"));
  const run = (...command: string[]) =>
    new Promise<number>((resolve, reject) => {
      const options = { cwd: directory, env: environment, stdio: "inherit" } as const;
      spawn(process.execPath, [cli, ...command], options)
        .once("error", reject)
        .once("close", (code) => {
          resolve(code ?? 1);
        });
    });
  try {
    const applied = await run("apply", "--app", app, "--auto-approve");
    const planned = await run("plan", "--out-dir", "cdktf.out", "--detailed-exitcode");
    return Math.max(applied, planned);
  } finally {
    await simulator.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

void main(Number(process.argv[2] ?? 20)).then((code) => {
  process.exitCode = code;
});
