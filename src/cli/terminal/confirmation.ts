import { joined, printed } from "../../core/printed";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { Screen } from "./screen";
import type { Terminal } from "./terminal";

export interface Question {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Asks a question in Terraform's form. Only the answer `yes` confirms. */
export async function confirm(
  screen: Screen,
  question: Question,
  signal?: AbortSignal,
): Promise<boolean> {
  const lines = question.lines.map((line) => printed`  ${line}\n`);
  const { style, terminal } = screen;
  screen.print(printed`\n${style.bold(printed`${question.title}`)}\n${joined(lines, "")}\n`);
  const answer = await terminal.ask(`  ${style.bold("Enter a value:")} `, signal);
  screen.print(printed`\n`);
  return answer?.trim() === "yes";
}

export interface ApprovalOptions {
  /** Apply without asking. */
  readonly autoApprove?: boolean;
  /** Print JSON lines instead of text. */
  readonly json?: boolean;
  /** False: ask no questions. */
  readonly input?: boolean;
}

/** The error of a run that nobody has approved and nobody can be asked to approve. */
export function approvalProblem(
  { interactive }: Terminal,
  operation: string,
  { autoApprove, json, input }: ApprovalOptions,
): Diagnostic | undefined {
  if (autoApprove) return undefined;
  if (json) {
    return error(
      "Not approved",
      "With --json there are no questions, so the plan cannot be approved interactively. Use --auto-approve.",
    );
  }
  if (input === false) {
    const detail =
      "With --no-input there are no questions, so the plan cannot be approved interactively. Use --auto-approve.";
    return error("Not approved", detail);
  }
  if (interactive) return undefined;
  return error(
    "Not approved",
    "The plan cannot be approved interactively, because standard input or standard output is " +
      `not a terminal. Review it with "plan", then ${operation} with --auto-approve.`,
  );
}
