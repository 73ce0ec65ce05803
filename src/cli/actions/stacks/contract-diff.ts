import { joined, printed, type Printed } from "../../../core/printed";
import { wrappedLines } from "../../../formats/text/word-wrap";
import { compareContracts, type ContractChange } from "../../contract/contract-diff";
import { readContract } from "../../contract/read-contract";
import { ExitCode } from "../../exit-code";
import type { Screen } from "../../terminal/screen";

interface ContractDiffOptions {
  readonly json?: boolean;
  readonly failOn?: "weaker";
}

/** True for the name of a contract; other JSON files have policies. */
export function isContract(name: string): boolean {
  return /\.ya?ml$|(^|[/\\])protection\.json$/.test(name);
}

/** Compares two contracts by what they require and waive. */
export async function contractDiff(
  screen: Screen,
  from: string,
  to: string,
  options: ContractDiffOptions,
): Promise<ExitCode> {
  const { directory } = screen.terminal;
  const [before, after] = await Promise.all([
    readContract(directory, from),
    readContract(directory, to),
  ]);
  if (screen.report([...before.diagnostics, ...after.diagnostics])) return ExitCode.ERROR;
  const changes = compareContracts(before.contract, after.contract, Date.now());
  const count = (which: ContractChange["change"]) =>
    changes.filter(({ change }) => change === which).length;
  const [weaker, stronger] = [count("weaker"), count("stronger")];
  if (options.json) {
    screen.printDocument(`${JSON.stringify({ from, to, weaker, stronger, changes })}\n`);
  } else {
    screen.print(printed`\n${verdict(from, to, weaker, stronger)}\n`);
    const lines = changes.flatMap((change) => linesOf(change, screen));
    if (lines.length > 0) screen.print(printed`\nFrom ${from} to ${to}:\n${joined(lines, "\n")}\n`);
  }
  return options.failOn !== undefined && weaker > 0 ? ExitCode.WEAKER : ExitCode.DONE;
}

function verdict(from: string, to: string, weaker: number, stronger: number): Printed {
  if (weaker + stronger === 0) return printed`${from} and ${to} require alike.`;
  if (weaker === 0) return printed`${to} requires at least as much as ${from}.`;
  if (stronger === 0) return printed`${to} may require less than ${from}.`;
  return printed`${to} may require less than ${from} for some workloads, and more for others.`;
}

function linesOf(
  { change, clause, text, places }: ContractChange,
  { style, width }: Screen,
): readonly Printed[] {
  const symbol = change === "weaker" ? style.red(printed`-`) : style.green(printed`+`);
  const wrapped = (line: string, margin: number) => wrappedLines(line, width - margin - 1);
  const [first = "", ...rest] = wrapped(`${clause}: ${text}`, 4);
  return [
    printed`  ${symbol} ${first}`,
    ...rest.map((line) => printed`    ${line}`),
    ...places.flatMap((place) => wrapped(place, 6).map((line) => printed`      ${line}`)),
  ];
}
