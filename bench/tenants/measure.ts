import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Time and memory of one process. */
export interface Measured {
  readonly wallMs: number;
  /** CPU time of all threads. */
  readonly cpuMs: number;
  /** CPU time of the main thread; null where the system does not report it. */
  readonly mainCpuMs: number | null;
  /** Peak resident size. */
  readonly peakKb: number;
}

/** The heap of each measured process, so that peaks compare. */
const HEAP = ["--max-old-space-size=4096", "--max-semi-space-size=16"];

let count = 0;

/**
 * Runs a Node program in a fresh process and measures it from its start to its end.
 *
 * @param folder for the file with the measurement
 */
export async function measured(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Measured> {
  const file = join(folder, `measured-${count++}.json`);
  const child = spawn(
    process.execPath,
    [...HEAP, "--require", join(__dirname, "at-exit.cjs"), ...args],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, ...env, MEASURED_FILE: file },
      cwd: folder,
    },
  );
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`node ${args.join(" ")} exited with ${String(code)}`);
  return JSON.parse(await readFile(file, "utf8")) as Measured;
}
