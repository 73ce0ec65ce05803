import { once } from "node:events";
import { fstatSync, statSync, writeSync } from "node:fs";
import { isatty, type WriteStream } from "node:tty";
import { errorText } from "../../core/io/file-problem";
import { readTextNow } from "../../core/io/read-file";
import { printable } from "../../core/printed";
import { askForLine, readStandardInput } from "../../core/io/standard-input";
import { ExitCode } from "../exit-code";
import type { Interrupt, Output, Terminal } from "./terminal";

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    writeSync(
      2,
      "\nError: Working directory does not exist\n\nThe folder that this command was started in was removed. Change to another one, or make it again and enter it.\n",
    );
    process.exit(ExitCode.ERROR);
  }
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  // A reader such as `head` may close the pipe before the output ends.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (failure: NodeJS.ErrnoException) => {
      if (failure.code === "EPIPE") process.exit(0);
      if (stream === process.stdout) {
        writeSync(
          2,
          `\nError: Standard output cannot be written\n\n${printable(errorText(failure))}. The rest of the output is lost, and an apply may have made changes: run plan, with standard output to another place.\n`,
        );
      }
      process.exit(1);
    });
  }
  if (isOutputClosed()) {
    writeSync(
      2,
      '\nWarning: Standard output is closed\n\nNothing that this command prints there can be seen. Remove ">&-", or redirect standard output to a file.\n',
    );
  }
  return {
    stdout: output(process.stdout, 1),
    stderr: output(process.stderr, 2),
    directory: workingDirectory(),
    environment: process.env,
    inheritable: true,
    interactive: isatty(0) && isatty(1),
    ask: askForLine,
    input: readStandardInput,
    onInterrupt,
    onFailure,
  };
}

/**
 * Reports whether standard output was closed before this process, and standard error was not. Node
 * opens the null device in its place, for reading too, as a shell's redirection does not.
 */
function isOutputClosed(): boolean {
  try {
    const device = statSync("/dev/null").rdev;
    const [closed, open] = [1, 2].map((descriptor) => fstatSync(descriptor).rdev);
    if (closed !== device || open === device) return false;
    return /^flags:\s*\d*2$/m.test(readTextNow("/proc/self/fdinfo/1"));
  } catch {
    return false;
  }
}

/** The first interrupt waits for operations in progress, the second cancels them. */
const HANDLED_INTERRUPTS = 2;

/**
 * Later interrupts end the process at once, as the system does it: they need no turn of the event
 * loop, which long work on the CPU would not give.
 */
function onInterrupt(listener: (signal: Interrupt) => void): () => void {
  let heard = 0;
  const hear = (signal: Interrupt): void => {
    heard += 1;
    if (heard === HANDLED_INTERRUPTS) release();
    listener(signal);
  };
  const release = (): void => {
    process.off("SIGINT", hear).off("SIGTERM", hear);
  };
  process.on("SIGINT", hear).on("SIGTERM", hear);
  return release;
}

function onFailure(listener: (failure: unknown) => void): () => void {
  const fail = (failure: unknown): void => {
    release();
    process.exitCode = ExitCode.ERROR;
    listener(failure);
    // Both outputs may be pipes, which are written later.
    process.stdout.write("", () => {
      process.stderr.write("", () => process.exit(ExitCode.ERROR));
    });
  };
  const starve = (): void => {
    fail(new Error("the command waits for something that no longer happens"));
  };
  const release = (): void => {
    process
      .off("uncaughtException", fail)
      .off("unhandledRejection", fail)
      .off("beforeExit", starve);
  };
  process.on("uncaughtException", fail).on("unhandledRejection", fail).on("beforeExit", starve);
  return release;
}

function output(stream: WriteStream, descriptor: 1 | 2): Output {
  return {
    write: (text) => {
      stream.write(text);
    },
    writeBytes: async (bytes) => {
      if (!stream.write(bytes)) await once(stream, "drain");
    },
    isTerminal: isatty(descriptor),
    get columns() {
      return isatty(descriptor) ? stream.columns : undefined;
    },
  };
}
