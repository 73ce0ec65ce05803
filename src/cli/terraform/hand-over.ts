import { hasErrors, warning, type Diagnostic } from "../../provider/diagnostics";
import type { Lock } from "../../runtime/backends/backend";
import { openBackend } from "../../runtime/backends/open-backend";
import { emptyState } from "../../runtime/state/state";

export interface HandOver {
  /** Keeps embedded runs out while Terraform runs. None for a backend that is Terraform's alone. */
  readonly lock?: Lock;
  readonly diagnostics: readonly Diagnostic[];
}

export interface HandOverRequest {
  /** The stack's `terraform` block, and its folder. */
  readonly terraform: unknown;
  readonly directory: string;
  readonly workspace: string | undefined;
  /** `terraform apply`: shown to whom the lock keeps out. */
  readonly operation: string;
  readonly waitMs: number;
}

/**
 * Leaves Terraform a state that says all: it knows nothing of the journal in which an embedded run
 * that was killed left what it did, so that is put into the state file first. After an error no
 * lock is held.
 */
export async function handOver(request: HandOverRequest): Promise<HandOver> {
  const { directory, workspace } = request;
  const { backend } = openBackend(request.terraform, {
    directory,
    ...(workspace !== undefined && { workspace }),
  });
  if (!backend) return { diagnostics: [] };
  const { operation, waitMs } = request;
  const { lock, diagnostics: locking } = await backend.lock({
    operation,
    waitMs,
    forTerraform: true,
  });
  if (!lock) return { diagnostics: locking };
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
    `Terraform does not read it, so what it held stands in ${location} now.`,
  );
}
