import type { Mutations } from "./mutations";

/** A reader of bytes from outside. */
export interface Reader {
  readonly name: string;
  /** Prepares the reader. */
  open(): Promise<OpenReader> | OpenReader;
}

export interface OpenReader {
  /**
   * Reads one mutated input. Resolves for values, diagnostics and the reader's documented errors;
   * rejects for internal errors.
   */
  read(mutations: Mutations): Promise<unknown>;
  close?(): Promise<void>;
}

/** Rethrows failures that are not among the documented ones. */
export function expectFailure(failure: unknown, isDocumented: (failure: unknown) => boolean): void {
  if (!isDocumented(failure)) throw failure;
}
