import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Environment } from "../environment";
import { errorText } from "./file-problem";
import { formatBytes, formatMs, LARGEST_INPUT_BYTES } from "./size";

/** Reports whether PATH has a program of this name. */
export function isOnPath(name: string, { PATH = "" }: Environment): boolean {
  const names = [name, `${name}.exe`];
  return PATH.split(delimiter).some((folder) =>
    names.some((file) => existsSync(join(folder, file))),
  );
}

/** A program to run. */
export interface StartedProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Environment;
}

export interface ProgramRun extends StartedProgram {
  /** The program is a command line for a shell. Default false. */
  readonly shell?: boolean;
  /** Text for its standard input. Default: it has none, or that of this process if `out` has. */
  readonly input?: string;
  /** The use of its outputs. Default: `keep`. */
  readonly out?: Sink;
  readonly err?: Sink;
  /**
   * Starts a separate process group: an interrupt at the terminal does not reach it, and it cannot
   * ask there. Default false.
   */
  readonly group?: boolean;
  /** Milliseconds that it may take. Default: any, for programs that run until the user ends them. */
  readonly limitMs?: number;
  /** Bytes that are kept, at most. */
  readonly limitBytes?: number;
  /** A program that prints more is ended (`stop`), or the rest is ignored (`drop`). Default: `stop`. */
  readonly excess?: "stop" | "drop";
}

/**
 * `keep`: in `Printed`; `inherit`: the output of this process; a function gets each piece, which is
 * not kept; with `alsoTo`, it is.
 */
export type Sink = "keep" | "inherit" | Listener | { readonly alsoTo: Listener };

type Listener = (text: string) => void;

/** The kept part of a program's outputs. */
export interface KeptOutput {
  /** Both outputs, in the order of arrival. */
  readonly all: string;
  readonly out: string;
  readonly err: string;
}

/** The end of a program. */
export type ProgramEnd =
  | { readonly kind: "not-started"; readonly reason: string }
  | {
      readonly kind: "ended";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly printed: KeptOutput;
      /** The limit for which it was ended from here, as a predicate: `took more than 5 s`. */
      readonly exceeded?: string | undefined;
    };

export interface RunningProgram {
  readonly end: Promise<ProgramEnd>;
  /** Sends a signal to the program. */
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Sends a signal to the program and to those of its group. */
  readonly killGroup: (signal: NodeJS.Signals) => void;
}

const KILL_AFTER_MS = 5_000;
/** How long to wait for output after the end, in periods without any. */
const DRAIN_MS = 1_000;
const MOST_DRAINS = 5;

/**
 * Starts a program, and reads its outputs. Its end is that of the program alone: programs that it
 * leaves in the background are not waited for, although they keep its outputs open.
 */
export function startProgram(run: ProgramRun): RunningProgram {
  try {
    return follow(run, start(run));
  } catch (failure) {
    // Node throws for some reasons, such as arguments that are too long.
    const nothing = () => undefined;
    return { end: Promise.resolve(notStarted(failure)), kill: nothing, killGroup: nothing };
  }
}

function start(run: ProgramRun): ChildProcess {
  return spawn(run.program, run.args, {
    cwd: run.directory,
    env: run.environment,
    shell: run.shell ?? false,
    stdio: [stdinOf(run), stdioOf(run.out), stdioOf(run.err)],
    detached: run.group ?? false,
  });
}

function follow(run: ProgramRun, child: ChildProcess): RunningProgram {
  const { group = false, limitMs, limitBytes = LARGEST_INPUT_BYTES } = run;
  const kill = (signal: NodeJS.Signals) => void child.kill(signal);
  const killGroup = (signal: NodeJS.Signals) => {
    signalGroup(child, signal);
  };
  // A program may end without reading its input.
  child.stdin?.on("error", () => undefined).end(run.input);

  let exceeded: string | undefined;
  const timers: NodeJS.Timeout[] = [];
  const stop = (reason: string) => {
    if (exceeded !== undefined) return;
    exceeded = reason;
    const end = group ? killGroup : kill;
    end("SIGTERM");
    timers.push(setTimeout(end, KILL_AFTER_MS, "SIGKILL"));
  };
  const outputs = new Outputs(limitBytes, () => {
    if (run.excess !== "drop") stop(`printed more than ${formatBytes(limitBytes)}`);
  });
  outputs.read(child, "out", run.out);
  outputs.read(child, "err", run.err);
  if (limitMs !== undefined) {
    timers.push(setTimeout(stop, limitMs, `took more than ${formatMs(limitMs)}`));
  }

  const end = new Promise<ProgramEnd>((resolve) => {
    const settle = (how: ProgramEnd) => {
      for (const timer of timers) clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(how);
    };
    child.once("error", (failure) => {
      settle(notStarted(failure));
    });
    child.once("exit", (code, signal) => {
      void outputs.drain(child).then(() => {
        settle({ kind: "ended", code, signal, exceeded, printed: outputs });
      });
    });
  });
  return { end, kill, killGroup };
}

function notStarted(failure: unknown): ProgramEnd {
  return { kind: "not-started", reason: errorText(failure) };
}

/** Describes an end that is no success, as a predicate: `ended with exit code 3`. */
export function failureOfProgram(end: ProgramEnd): string | undefined {
  if (end.kind === "not-started") return `could not be started: ${end.reason}`;
  if (end.exceeded !== undefined) return `was ended because it ${end.exceeded}`;
  if (end.code === 0) return undefined;
  return end.code === null
    ? `was ended by ${end.signal ?? "a signal"}`
    : `ended with exit code ${end.code}`;
}

/** Starts a program that outlives this process. Resolves to false if it cannot be started. */
export function startDetached(started: StartedProgram): Promise<boolean> {
  const { program, args, directory, environment } = started;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: directory,
      env: environment,
      stdio: "ignore",
      detached: true,
    });
    child.once("error", () => {
      resolve(false);
    });
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

/** Reads the outputs of a program, and keeps a part of them. */
class Outputs implements KeptOutput {
  readonly #kept: { readonly from: "out" | "err"; readonly text: string }[] = [];
  #left: number;
  /** The pieces that have arrived. */
  #arrived = 0;

  /** @param exceed - called with each piece that is not kept */
  constructor(
    limitBytes: number,
    private readonly exceed: () => void,
  ) {
    this.#left = limitBytes;
  }

  get all(): string {
    return this.#kept.map(({ text }) => text).join("");
  }

  get out(): string {
    return this.#outputText("out");
  }

  get err(): string {
    return this.#outputText("err");
  }

  read(child: ChildProcess, from: "out" | "err", sink: Sink = "keep"): void {
    const stream = from === "out" ? child.stdout : child.stderr;
    if (!stream || sink === "inherit") return;
    const decoder = new StringDecoder("utf8");
    const take = (text: string) => {
      this.#arrived += 1;
      if (typeof sink === "function") sink(text);
      else this.#keep(from, text);
      if (typeof sink === "object") sink.alsoTo(text);
    };
    stream.on("data", (bytes: Buffer) => {
      take(decoder.write(bytes));
    });
    stream.once("end", () => {
      take(decoder.end());
    });
  }

  /** Waits for the ends of the outputs, or until nothing arrives for a while. */
  drain(child: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      let before = this.#arrived;
      let waits = 0;
      const look = () => {
        waits += 1;
        if (this.#arrived === before || waits === MOST_DRAINS) resolve();
        else timer.refresh();
        before = this.#arrived;
      };
      // Output that arrived while this process was busy is read after the timers.
      const timer = setTimeout(() => setImmediate(look), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #keep(from: "out" | "err", text: string): void {
    this.#left -= Buffer.byteLength(text);
    if (this.#left >= 0) this.#kept.push({ from, text });
    else this.exceed();
  }

  #outputText(from: "out" | "err"): string {
    return this.#kept.flatMap((one) => (one.from === from ? [one.text] : [])).join("");
  }
}

function stdinOf({ input, out }: ProgramRun): "pipe" | "inherit" | "ignore" {
  if (input !== undefined) return "pipe";
  return out === "inherit" ? "inherit" : "ignore";
}

function stdioOf(sink: Sink = "keep"): "pipe" | "inherit" {
  return sink === "inherit" ? "inherit" : "pipe";
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
