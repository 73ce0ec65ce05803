import type { Environment } from "../../core/environment";
import type { Printable } from "../../core/printed";

/** The process as commands see it. Tests replace it. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Working directory, absolute. */
  readonly directory: string;
  readonly environment: Environment;
  /** True if the outputs are the streams of this process, which a child process can inherit. */
  readonly inheritable: boolean;
  /** True if a user can answer questions. */
  readonly interactive: boolean;
  /** Returns the answer without its line break; undefined if the input ends before one. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Reads standard input to its end. */
  input(): Promise<string>;
  /** Calls `listener` for every request to end, instead of ending. Returns a function that stops it. */
  onInterrupt(listener: (signal: Interrupt) => void): () => void;
  /**
   * Calls `listener` for an exception or a rejection that nothing handles, and when nothing is left
   * to wait for, so that the command cannot continue. The process then ends with exit code 1.
   * Returns a function that stops it, for the end of the command.
   */
  onFailure(listener: (failure: unknown) => void): () => void;
}

export type Interrupt = "SIGINT" | "SIGTERM";

export interface Output {
  readonly write: (text: Printable) => void;
  /** Resolves when there is room for more. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  /** Undefined if the output is not a terminal. */
  readonly columns: number | undefined;
}
