import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import type { Environment } from "../../core/environment";
import { LocalBackend, type Lock } from "../../backends";
import { openBackend } from "../../language";
import { emptyState } from "../../core/documents/state";

export interface HandOverRequest {
  /** `terraform` block of the stack. */
  readonly terraform: unknown;
  readonly directory: string;
  readonly workspace: string;
  readonly environment: Environment;
  /** Shown to runs that the lock keeps out, such as `terraform apply`. */
  readonly operation: string;
  readonly waitMs: number;
  /** The program only reads: it needs no lock if there is no journal. */
  readonly reads: boolean;
}

/**
 * Locks a local state for Terraform, which reads and writes it. It does not read the journal that a
 * killed embedded run left, so its records are stored in the state file first; without a journal
 * the file is not touched. After an error no lock is held, and none for other backends, which
 * Terraform locks itself.
 */
export async function handOver(request: HandOverRequest): Promise<HandedOver> {
  const { backend } = openBackend(request.terraform, request);
  // Only local states have journals, and no lock that Terraform knows.
  if (!(backend instanceof LocalBackend)) return { diagnostics: [] };
  return { stateFile: backend.location, ...(await lockLocal(backend, request)) };
}

interface HandedOver {
  readonly lock?: Lock;
  /** The file of a local state. */
  readonly stateFile?: string;
  readonly diagnostics: readonly Diagnostic[];
}

async function lockLocal(
  backend: LocalBackend,
  { operation, waitMs, reads }: HandOverRequest,
): Promise<HandedOver> {
  if (reads && !(await backend.hasJournal())) return { diagnostics: [] };
  const { lock, diagnostics: locking } = await backend.lock({
    operation,
    waitMs,
    forTerraform: true,
  });
  if (!lock) return { diagnostics: locking };
  if (!(await backend.hasJournal())) return { lock, diagnostics: locking };
  const { state = emptyState(), diagnostics: found } = await backend.read();
  const written = hasErrors(found) ? undefined : await backend.write(state);
  const diagnostics = [...locking, ...found, ...(written?.diagnostics ?? [])];
  if (hasErrors(diagnostics)) {
    return { diagnostics: [...diagnostics, ...(await lock.release())] };
  }
  const recovered = found.length > 0 && written?.state !== undefined;
  return {
    lock,
    diagnostics: recovered ? [...diagnostics, stored(backend.location)] : diagnostics,
  };
}

function stored(location: string): Diagnostic {
  return warning(
    "The journal was stored",
    `Terraform does not read the journal, so its records are now in ${location}.`,
  );
}
