import type { Screen } from "./screen";

export interface Question {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Asks as Terraform asks. True for `yes` and nothing else. */
export async function confirm(
  screen: Screen,
  question: Question,
  signal?: AbortSignal,
): Promise<boolean> {
  const lines = question.lines.map((line) => `  ${line}\n`);
  const { style, terminal } = screen;
  screen.print(`\n${style.bold(question.title)}\n${lines.join("")}\n`);
  const answer = await terminal.ask(`  ${style.bold("Enter a value:")} `, signal);
  screen.print("\n");
  return answer?.trim() === "yes";
}
