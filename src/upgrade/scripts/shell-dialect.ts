import type { Snippet } from "./snippet";

/** How a dialect differs from the POSIX shell. */
export interface ShellDialect {
  /** `\`; `^` of cmd.exe. */
  readonly continuation: string;
  /** Whether `$(NAME)` is a variable, as in makefiles. */
  readonly make?: boolean;
  readonly comment: RegExp;
}

export const POSIX: ShellDialect = { continuation: "\\", comment: /#/y };
export const MAKE: ShellDialect = { continuation: "\\", make: true, comment: /#/y };
export const BATCH: ShellDialect = { continuation: "^", comment: /(?:rem\b|::)/iy };

/** A word without its quotes. */
export interface Word extends Snippet {
  /** In the file. */
  readonly offset: number;
}

/** One simple command: its words without redirections. */
export interface Command {
  readonly words: readonly Word[];
  /** In the file. */
  readonly start: number;
  readonly end: number;
  /** What is fed to it. */
  readonly heredocs: readonly Snippet[];
  /** Whether what it writes is only shown: it goes to no file, no pipe and no substitution. */
  readonly isShown: boolean;
  /** The functions around it, the innermost last. */
  readonly functions: readonly string[];
}

export interface ShellReading {
  readonly commands: readonly Command[];
  /** In the file. */
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}
