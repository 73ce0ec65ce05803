import type { Interrupt, Terminal } from "../../src/cli/terminal/terminal";
import { runCommandLine } from "../../src/cli/run";

/** A terminal that records its output. */
export class TestTerminal implements Terminal {
  out = "";
  err = "";
  readonly directory: string;
  readonly environment: Record<string, string | undefined>;
  readonly inheritable = false;
  readonly interactive: boolean;
  readonly #answers: string[];
  readonly #input: string;
  readonly #failures = new Set<(failure: unknown) => void>();
  readonly #listeners = new Set<(signal: Interrupt) => void>();
  readonly stdout;
  readonly stderr;

  constructor(options: {
    directory: string;
    environment?: Record<string, string>;
    /** Answers to questions, in order. Without them the terminal is not interactive. */
    answers?: string[];
    /** The answers are in a pipe, which ends after them. */
    piped?: boolean;
    /** Standard input. */
    input?: string;
    columns?: number;
  }) {
    this.directory = options.directory;
    this.environment = { PATH: process.env.PATH, ...options.environment };
    this.interactive = options.answers !== undefined && options.piped !== true;
    this.#answers = options.answers ?? [];
    this.#input = options.input ?? "";
    const { columns } = options;
    const output = (take: (text: string) => void) => ({
      write: take,
      writeBytes: (bytes: Uint8Array) => {
        take(Buffer.from(bytes).toString("latin1"));
        return Promise.resolve();
      },
      isTerminal: columns !== undefined,
      columns,
    });
    this.stdout = output((text) => {
      this.out += text;
    });
    this.stderr = output((text) => {
      this.err += text;
    });
  }

  ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    this.out += question;
    const answer = this.#answers.shift();
    if (answer !== undefined || !this.interactive) return Promise.resolve(answer);
    return new Promise((resolve) => {
      signal?.addEventListener("abort", () => {
        resolve(undefined);
      });
    });
  }

  input(): Promise<string> {
    return Promise.resolve(this.#input);
  }

  onInterrupt(listener: (signal: Interrupt) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  interrupt(signal: Interrupt = "SIGINT"): void {
    for (const listener of this.#listeners) listener(signal);
  }

  onFailure(listener: (failure: unknown) => void): () => void {
    this.#failures.add(listener);
    return () => this.#failures.delete(listener);
  }

  /** Fails as the process does for an exception that nothing handles. */
  fail(failure: unknown): void {
    for (const listener of this.#failures) listener(failure);
  }

  run(...argv: string[]): Promise<number> {
    return runCommandLine(argv, this);
  }

  /** Resolves when the output contains `text`. */
  async printed(text: string | RegExp): Promise<void> {
    while (!(typeof text === "string" ? this.out.includes(text) : text.test(this.out))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
