import { printed, type Printed } from "../../../core/printed";
import type { ScanProgress } from "../../../api/areas/scan";
import { ScanTimeoutError } from "../../../api/errors";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { summaryOf } from "../../../provider/resources/container-scan";
import { formatDuration } from "../../../formats/text/progress-text";
import { withConsole } from "./console-from-environment";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export interface ScanCommandOptions extends CommonOptions {
  /** Print one document. Progress then goes to standard error, if that is a terminal. */
  readonly json?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds. */
  readonly interval: number;
}

/** Scans all containers and waits for the results. */
export async function scan(terminal: Terminal, options: ScanCommandOptions): Promise<ExitCode> {
  const { json = false, timeout, interval } = options;
  const screen = openScreen(terminal, options, json);
  const onProgress = printProgress(screen, json);
  return withConsole(screen, async ({ client }, signal) => {
    try {
      const found = await client.containers.scan({ timeout, interval, onProgress, signal });
      const summary = summaryOf(found);
      if (json) screen.printDocument(document({ ...summary, unfinished: [] }));
      else {
        const { container_count: containers, issue_count: issues } = summary;
        const done = printed`Scan complete! Containers: ${containers}, compliance issues: ${issues}.`;
        screen.print(printed`\n${screen.style.bold(screen.style.green(done))}\n`);
      }
      return ExitCode.DONE;
    } catch (failure) {
      if (!(failure instanceof ScanTimeoutError)) throw failure;
      const { startedAt, unfinished } = failure;
      if (json) {
        const started_at = startedAt.toISOString();
        screen.printDocument(document({ started_at, completed_at: null, unfinished }));
      }
      return screen.fail(notInTime(failure));
    }
  });
}

/** Prints a line at the start of the scan, and one after each read of the results. */
function printProgress(screen: Screen, json: boolean): (progress: ScanProgress) => void {
  const isShown = !json || screen.terminal.stderr.isTerminal;
  const write = (text: Printed) => {
    if (json) screen.note(text);
    else screen.print(text);
  };
  let start: number | undefined;
  return ({ startedAt, finished, count }) => {
    if (!isShown) return;
    if (start === undefined) {
      start = performance.now();
      write(printed`Scanning ${count} containers, since ${startedAt.toISOString()}...\n`);
      return;
    }
    const elapsed = formatDuration(performance.now() - start);
    write(
      printed`Still scanning... [${elapsed} elapsed, ${finished} of ${count} containers scanned]\n`,
    );
  };
}

function document(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function notInTime({ message }: ScanTimeoutError): Diagnostic {
  return error(
    "Scan did not end in time",
    printed`${message}\n\nThe console may still complete the scan. Allow more time with --timeout.`,
  );
}
