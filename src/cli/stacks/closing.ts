import type { Diagnostic } from "../../core/diagnostics";
import { ExitCode } from "../exit-code";
import type { Screen } from "../terminal/screen";

/**
 * Runs `work`, then `close`, also if `work` throws. A run that leaves a lock or a resource open has
 * not succeeded.
 */
export async function closingAfter(
  screen: Pick<Screen, "report">,
  work: () => Promise<ExitCode>,
  close: () => Promise<readonly Diagnostic[]>,
): Promise<ExitCode> {
  let code: ExitCode;
  let isOpen = true;
  try {
    code = await work();
  } finally {
    isOpen = screen.report(await close());
  }
  const succeeded = code === ExitCode.DONE || code === ExitCode.CHANGES;
  return isOpen && succeeded ? ExitCode.ERROR : code;
}
