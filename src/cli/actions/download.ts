import { resolve } from "node:path";
import type { ConsoleClient } from "../../api/client";
import { EndpointNotInReleaseError } from "../../api/errors";
import { saveFile } from "../../api/save-file";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { fileProblem } from "../../provider/file-problem";
import { withConsole } from "../console-from-environment";
import { ExitCode } from "../exit-code";
import { openScreen, type CommonOptions } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

export interface DownloadOptions extends CommonOptions {
  /** A file, which appears when it is complete. Default: standard output, as it comes. */
  readonly output?: string;
}

export interface DownloadServerlessOptions extends DownloadOptions {
  /** Default: functions that are defended, and those that are not. */
  readonly defended?: boolean;
}

export const downloadServerless = (terminal: Terminal, options: DownloadServerlessOptions) =>
  download(terminal, options, ({ serverless }, signal) => {
    const { defended } = options;
    return serverless.download({ defended }, signal);
  });

export const downloadCloudDiscovery = (terminal: Terminal, options: DownloadOptions) =>
  download(terminal, options, ({ cloudDiscovery }, signal) => cloudDiscovery.download(signal));

export const downloadCompliance = (terminal: Terminal, options: DownloadOptions) =>
  download(terminal, options, ({ complianceStats }, signal) => complianceStats.download(signal));

/** Passes on the bytes that the console sends, as they are. */
async function download(
  terminal: Terminal,
  options: DownloadOptions,
  chunksOf: (client: ConsoleClient, signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { output } = options;
  return withConsole(screen, async ({ client }, signal) => {
    try {
      const chunks = chunksOf(client, signal);
      if (output !== undefined) await saveFile(chunks, resolve(terminal.directory, output));
      else for await (const chunk of chunks) await terminal.stdout.writeBytes(chunk);
      return ExitCode.DONE;
    } catch (failure) {
      const problem = failure instanceof EndpointNotInReleaseError ? notThere(failure) : undefined;
      const told = problem ?? (output === undefined ? undefined : notWritten(output, failure));
      if (!told) throw failure;
      screen.report([told]);
      return ExitCode.ERROR;
    }
  });
}

function notThere({ release, availableIn }: EndpointNotInReleaseError): Diagnostic {
  return error(
    "Not in this release of the console",
    `Release ${release} does not have this download; ${availableIn.join(", ")} has. The environment variable CONSOLE_RELEASE says which one the console runs.`,
  );
}

function notWritten(file: string, failure: unknown): Diagnostic | undefined {
  const problem = fileProblem(failure);
  return problem && error("File cannot be written", `${file}: ${problem.text}.`);
}
