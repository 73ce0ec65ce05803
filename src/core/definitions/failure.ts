import { error, type Diagnostic } from "../diagnostics";
import { errorText } from "../io/file-problem";
import { block, printed } from "../printed";

/** The state could not be saved before the first write. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";

  constructor(cause: unknown) {
    super(errorText(cause), { cause });
  }
}

/** An operation was refused before it wrote anything. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";

  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.summary);
  }
}

/** Converts an error that the service of a provider documents; undefined for any other error. */
export type Diagnose = (failure: unknown) => Diagnostic | undefined;

/** Converts an error of an operation to a diagnostic. */
export function diagnoseFailure(failure: unknown, diagnose: Diagnose | undefined): Diagnostic {
  const known = diagnose?.(failure);
  if (known) return known;
  if (failure instanceof RefusedError) return failure.diagnostic;
  if (failure instanceof NotStoredError) {
    return error(
      "Failed to save state",
      `Nothing was written, because the state could not be saved first: ${failure.message}`,
    );
  }
  const text = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return error(
    "Internal provider error",
    printed`This is a bug in the provider, not in the configuration. Please report it.\n\n${block(text)}`,
  );
}
