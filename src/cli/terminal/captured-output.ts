import { spawn, type SpawnOptions } from "node:child_process";

export interface Captured {
  /** How the program failed, as a predicate. Undefined for success. */
  readonly how?: string;
  /** Standard output and standard error, in the order of their arrival. */
  readonly printed: string;
}

/** Runs a program without input to its end, and captures its output. Does not reject. */
export function captureOutput(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "shell">,
): Promise<Captured> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    const take = (text: string) => {
      printed += text;
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", (failure) => {
      resolve({ how: `could not be started: ${failure.message}`, printed });
    });
    child.once("close", (code, signal) => {
      const how =
        code === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${code}`;
      resolve(code === 0 ? { printed } : { how, printed });
    });
  });
}
