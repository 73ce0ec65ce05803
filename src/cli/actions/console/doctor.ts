import { resolve } from "node:path";
import { version } from "../../../../package.json";
import { DEFAULT_RELEASE } from "../../../api/release";
import { error } from "../../../core/diagnostics";
import { printed } from "../../../core/printed";
import { LOOK_PATIENCE_MS } from "../../../provider/configuration/configure";
import type { Console } from "../../../provider/console/connection";
import { documentOf, type Examination, type DoctorFinding } from "../../doctor/finding";
import { examine } from "../../doctor/examine";
import { usedKinds } from "../../doctor/used-kinds";
import { requestsOf } from "../../doctor/requests";
import { ExitCode } from "../../exit-code";
import { confirm } from "../../terminal/confirmation";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import { printTable } from "../../terminal/table";
import type { Terminal } from "../../terminal/terminal";
import { writeTextFile } from "../../terminal/write-file";
import { withConsole, type ConsoleWork } from "./console-from-environment";

export interface DoctorOptions extends CommonOptions {
  /** Send the requests without asking. */
  readonly yes?: boolean;
  /** Print one JSON document instead of a table. */
  readonly json?: boolean;
  /** File for a report without names, addresses and secrets. */
  readonly report?: string;
}

/**
 * Compares a console with what this version relies on, by reads without effect. The exit code is 2 if
 * a write would meet a difference.
 */
export async function doctor(terminal: Terminal, options: DoctorOptions): Promise<ExitCode> {
  const { json = false, report } = options;
  const screen = openScreen(terminal, options, json);
  const work: ConsoleWork = async (console, signal) => {
    const { client } = console;
    const asked = await mayAsk(screen, console, options, signal);
    if (asked !== undefined) return asked;
    const release = (await client.detectRelease(signal)) ?? DEFAULT_RELEASE;
    const used = await usedKinds(resolve(terminal.directory, "cdktf.out"));
    const findings = await examine(console, release, signal, used);
    const examination = { version, console: client.address, release, findings };
    if (json) screen.printDocument(text(documentOf(examination, "document")));
    else print(screen, findings);
    if (report !== undefined) {
      const written = text(documentOf(examination, "report"));
      if (screen.report(writeTextFile(terminal, report, written, "report of the console"))) {
        return ExitCode.ERROR;
      }
    }
    return findings.some(({ write }) => write !== undefined) ? ExitCode.CHANGES : ExitCode.DONE;
  };
  return withConsole(screen, work, terminal.environment, LOOK_PATIENCE_MS);
}

/** Lists the requests and asks. Returns the exit code if they may not be sent. */
async function mayAsk(
  screen: Screen,
  { client, release }: Console,
  { yes = false, json = false, input }: DoctorOptions,
  signal: AbortSignal,
): Promise<ExitCode | undefined> {
  if (!json) {
    screen.print(printed`Requests to ${client.address}, none of which changes anything:\n\n`);
    for (const request of requestsOf(release)) screen.print(printed`  ${request}\n`);
  }
  if (yes) return undefined;
  if (json || input === false || !screen.terminal.interactive) {
    const detail =
      "The requests cannot be confirmed interactively. Send them without a question with --yes.";
    return screen.fail(error("Not confirmed", detail));
  }
  const title = "Do you want to send these requests?";
  const lines = ["Only 'yes' will be accepted to confirm."];
  if (await confirm(screen, { title, lines, option: "--yes" }, signal)) return undefined;
  screen.print(printed`Nothing was sent.\n`);
  return ExitCode.ERROR;
}

function text(examination: Examination): string {
  return `${JSON.stringify(examination, undefined, 2)}\n`;
}

function print(screen: Screen, findings: readonly DoctorFinding[]): void {
  screen.print(printed`\n`);
  const rows = findings.map(({ check, subject, result, found, write }) => [
    check,
    subject,
    result,
    write === undefined ? found : `${found} (${write})`,
  ]);
  printTable(screen, ["Check", "Of", "Result", "Found"], rows);
  const count = (result: DoctorFinding["result"]) =>
    findings.filter((one) => one.result === result).length;
  const affected = findings.filter(({ write }) => write !== undefined).length;
  screen.print(
    printed`\n${count("holds")} hold, ${count("differs")} differ, ${count("unknown")} unknown. ${affected === 0 ? "No difference affects a write." : `A write would meet ${affected} of the differences.`}\n`,
  );
}
