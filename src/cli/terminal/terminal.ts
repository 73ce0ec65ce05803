import type { Environment } from "../../provider/definitions/provider-definition";

/**
 * All that a command knows of its process, so that tests run commands without one.
 */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Absolute. */
  readonly directory: string;
  readonly environment: Environment;
  /** Whether these are the streams of this process, which a program that it starts can take over. */
  readonly inheritable: boolean;
  /** Whether somebody is there to answer a question. */
  readonly interactive: boolean;
  /** The answer without its line break; undefined where the input ends before one. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
  /** All of standard input, until it ends. */
  input(): Promise<string>;
  /** Calls `listener` for every request to end, instead of ending. Returns how to stop that. */
  onInterrupt(listener: (signal: Interrupt) => void): () => void;
}

/** The same terminal with other parts. Its methods may be those of a class, so none is spread. */
export function terminalWith(terminal: Terminal, parts: Partial<Terminal>): Terminal {
  const { stdout, stderr, directory, environment, inheritable, interactive } = terminal;
  return {
    stdout,
    stderr,
    directory,
    environment,
    inheritable,
    interactive,
    ask: (question, signal) => terminal.ask(question, signal),
    input: () => terminal.input(),
    onInterrupt: (listener) => terminal.onInterrupt(listener),
    ...parts,
  };
}

export type Interrupt = "SIGINT" | "SIGTERM";

export interface Output {
  write(text: string): void;
  /** Resolves when there is room for more. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  /** Undefined where it is no terminal. */
  readonly columns: number | undefined;
}
