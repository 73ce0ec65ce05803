import { spawn, type ChildProcess } from "node:child_process";
import { packedPackage } from "../../support/packed-package";

/** The exit code and the output of a process of the bundled command line. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess & { readonly pid: number };
  readonly ended: Promise<Ended>;
  /** Resolves when standard output or error contains a text; rejects if the process ends first. */
  printed(text: string): Promise<void>;
}

interface ProcessOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the command line of the packed package. */
export function startCli(argv: readonly string[], options: ProcessOptions): Running {
  return startProcess(process.execPath, [packedPackage().cli, ...argv], options);
}

/** Starts a program with nothing of this environment but the path and the temporary folder. */
export function startProcess(
  program: string,
  argv: readonly string[],
  options: ProcessOptions,
): Running {
  const child = spawn(program, argv, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the command line could not be started");
  let out = "";
  let err = "";
  const listeners = new Set<() => void>();
  const heard = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    heard();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal, out, err });
    });
  });
  return {
    child: Object.assign(child, { pid }),
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!out.includes(text) && !err.includes(text)) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
        void ended.then(() => {
          reject(new Error(`ended without printing ${JSON.stringify(text)}:\n${out}\n${err}`));
        });
      }),
  };
}
