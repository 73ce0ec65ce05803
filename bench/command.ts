import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const root = join(__dirname, "..");
export const cli = join(root, "dist/cli.js");

export interface Served {
  readonly name: string;
  readonly url: string;
  readonly caFile: string;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a Node program to its end; rejects unless it exits with 0. */
export function node(args: readonly string[], options: RunOptions = {}): Promise<void> {
  return run(process.execPath, args, options);
}

/** Runs a program to its end; rejects unless it exits with 0. */
export function run(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(" ")} exited with ${String(code)}`));
    });
  });
}

/** Reports whether Terraform is on PATH. */
export function hasTerraform(): Promise<boolean> {
  return run("terraform", ["version"]).then(
    () => true,
    () => false,
  );
}

/** Serves consoles from a separate process, so that their work is not measured. */
export async function withConsoles<T>(
  args: readonly string[],
  use: (consoles: readonly Served[]) => Promise<T>,
): Promise<T> {
  const tenants = Number(args[args.indexOf("--tenants") + 1] ?? 1);
  const count = args.includes("--tenants") ? tenants : 1;
  const child = spawn(process.execPath, [cli, "simulate", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    // Several consoles are listed in a file there.
    cwd: tmpdir(),
  });
  try {
    const consoles: Served[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      consoles.push(JSON.parse(line) as Served);
      if (consoles.length === count) break;
    }
    return await use(consoles);
  } finally {
    child.kill("SIGTERM");
  }
}
