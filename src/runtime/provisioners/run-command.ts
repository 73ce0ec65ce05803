import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Environment } from "../../provider/definitions/provider-definition";

/** The end of a command. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: "not-started"; readonly reason: string };

const KILL_AFTER_MS = 5_000;
/** How long to wait for output that background processes keep open. */
const DRAIN_MS = 1_000;

/** A program to run. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly workingDir: string;
  readonly environment: Environment;
  /** Text for its standard input. Default: it has none. */
  readonly input?: string;
  /** Once aborted, the command is interrupted, and killed if it does not end. */
  readonly signal: AbortSignal;
}

/** Runs a command in a separate process group; `print` gets each line of both outputs. */
export function runCommand(
  { program, args, workingDir, environment, input, signal }: CommandLine,
  print: (line: string) => void,
): Promise<CommandEnd> {
  const child = spawn(program, args, {
    cwd: workingDir,
    env: environment,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    // An interrupt at the terminal does not reach the group, and the whole group can be terminated.
    detached: true,
  });
  // A command that does not read its input may close it.
  child.stdin?.on("error", () => undefined).end(input);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
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
      // The group has ended.
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
      // Background processes of shells ignore interrupts.
      if (signal.aborted) endGroup("SIGKILL");
      const patience = setTimeout(settle, DRAIN_MS, { kind: "ended", code, signal: endedBy });
      void drained.then(() => {
        clearTimeout(patience);
        settle({ kind: "ended", code, signal: endedBy });
      });
    });
  });
}
