import { joined, printed } from "../../core/printed";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { Screen } from "./screen";

export interface YesQuestion {
  readonly title: string;
  readonly lines: readonly string[];
  /** The option that confirms it without a question. */
  readonly option: "--auto-approve" | "--force" | "--yes";
}

/** Asks a question in Terraform's form. Only the answer `yes` confirms. */
export async function confirm(
  screen: Screen,
  question: YesQuestion,
  signal?: AbortSignal,
): Promise<boolean> {
  const answer = await askForYes(screen, question, signal);
  if (answer === undefined && signal?.aborted !== true) screen.report([noAnswer(question)]);
  return answer === true;
}

/** Asks a question like `confirm`. Undefined if the input ended before an answer. */
export async function askForYes(
  screen: Screen,
  question: YesQuestion,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const lines = question.lines.map((line) => printed`  ${line}\n`);
  const { style, terminal } = screen;
  screen.print(printed`\n${style.bold(printed`${question.title}`)}\n${joined(lines, "")}\n`);
  screen.question.isOpen = true;
  const answer = await terminal.ask(`  ${style.bold("Enter a value:")} `, signal);
  screen.question.isOpen = false;
  screen.print(printed`\n`);
  return answer === undefined ? undefined : answer.trim() === "yes";
}

function noAnswer({ option }: YesQuestion): Diagnostic {
  return error(
    "No answer",
    `Standard input ended before an answer. Answer "yes" there or at a terminal, or use ${option}.`,
  );
}

export interface ApprovalOptions {
  /** Apply without asking. */
  readonly autoApprove?: boolean;
  /** Print JSON lines instead of text. */
  readonly json?: boolean;
  /** False: ask no questions. */
  readonly input?: boolean;
  /** `-`: standard input has the list of stacks. */
  readonly stacksFrom?: string;
}

/** The error of a run that nobody has approved and nobody can be asked to approve. */
export function approvalProblem(
  operation: string,
  { autoApprove, json, input, stacksFrom }: ApprovalOptions,
): Diagnostic | undefined {
  if (autoApprove) return undefined;
  const why = json
    ? "With --json there are no questions"
    : input === false
      ? "With --no-input there are no questions"
      : stacksFrom === "-" && "With --stacks-from - standard input has the list of stacks";
  if (why === false) return undefined;
  return error(
    "Not approved",
    `${why}, so the plan cannot be approved interactively. Review it with "plan", then ${operation} with --auto-approve.`,
  );
}
