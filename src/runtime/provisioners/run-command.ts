import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface CommandToRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted: the command and all that it started are asked to end, and ended after a while. */
  readonly signal: AbortSignal;
}

export type CommandEnd =
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: "not-started"; readonly reason: string };

const KILL_AFTER_MS = 5_000;
/** How long output is waited for that processes left in the background may still hold open. */
const DRAIN_MS = 1_000;

/** Runs a command in a process group of its own; `print` gets each line of both its outputs. */
export function runCommand(
  { program, args, workingDir, environment, signal }: CommandToRun,
  print: (line: string) => void,
): Promise<CommandEnd> {
  const child = spawn(program, args, {
    cwd: workingDir,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // An interrupt at the terminal does not reach another group; and all of a group can be ended.
    detached: true,
  });
  const streams = [child.stdout, child.stderr];
  const drained = Promise.all(
    streams.map((stream) => {
      const lines = createInterface({ input: stream });
      lines.on("line", print);
      return new Promise((closed) => lines.once("close", closed));
    }),
  );
  const endGroup = (how: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, how);
    } catch {
      // All of it has ended.
    }
  };
  let hardKill: NodeJS.Timeout | undefined;
  const abort = () => {
    endGroup("SIGINT");
    hardKill = setTimeout(endGroup, KILL_AFTER_MS, "SIGKILL");
  };
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();

  return new Promise((resolve) => {
    const settle = (end: CommandEnd) => {
      clearTimeout(hardKill);
      signal.removeEventListener("abort", abort);
      for (const stream of streams) stream.destroy();
      resolve(end);
    };
    child.once("error", ({ message }) => {
      settle({ kind: "not-started", reason: message });
    });
    child.once("exit", (code, endedBy) => {
      // Shells let what they start in the background ignore interrupts.
      if (signal.aborted) endGroup("SIGKILL");
      const patience = setTimeout(settle, DRAIN_MS, { kind: "ended", code, signal: endedBy });
      void drained.then(() => {
        clearTimeout(patience);
        settle({ kind: "ended", code, signal: endedBy });
      });
    });
  });
}
