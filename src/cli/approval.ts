import { error, type Diagnostic } from "../provider/diagnostics";
import type { Terminal } from "./terminal/terminal";

export interface ApprovalOptions {
  /** Without a question. */
  readonly autoApprove?: boolean;
  /** JSON lines instead of text. */
  readonly json?: boolean;
}

/** Why nothing can be carried out: it is not approved, and there is nobody to ask. */
export function approvalProblem(
  { interactive }: Terminal,
  operation: string,
  { autoApprove, json }: ApprovalOptions,
): Diagnostic | undefined {
  if (autoApprove) return undefined;
  if (json) {
    return error(
      "Not approved",
      "Programs that read JSON lines answer no questions. Give --auto-approve.",
    );
  }
  if (interactive) return undefined;
  return error(
    "Not approved",
    "There is nobody to ask whether the plan may be carried out, since input or output is " +
      `no terminal. Review it with "plan", then ${operation} with --auto-approve.`,
  );
}
