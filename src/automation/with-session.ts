import type { Diagnostic } from "../core/diagnostics";
import type { Session } from "../runtime";

/**
 * Runs `work` on a session. The states are locked until `work` ends.
 *
 * @param closed - called with the diagnostics of unlocking, also if `work` throws
 */
export async function withSession<T>(
  planned: Promise<Session>,
  work: (session: Session) => Promise<T>,
  closed: (diagnostics: readonly Diagnostic[]) => unknown,
): Promise<T> {
  const session = await planned;
  try {
    return await work(session);
  } finally {
    closed(await session.close());
  }
}
