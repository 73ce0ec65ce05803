import { resolve } from "node:path";
import type { ConsoleClient } from "../../../api/client";
import { EndpointNotInReleaseError } from "../../../api/errors";
import { saveFile } from "../../../api/save-file";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { fileProblem } from "../../../core/io/file-problem";
import { withConsole } from "./console-from-environment";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export interface DownloadOptions extends CommonOptions {
  /** File, which appears when it is complete. Default: standard output, as a stream. */
  readonly output?: string;
}

export interface DownloadServerlessOptions extends DownloadOptions {
  /** Default: all functions. */
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

/** Passes on the bytes of the console unchanged. */
async function download(
  terminal: Terminal,
  options: DownloadOptions,
  chunksOf: (client: ConsoleClient, signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<ExitCode> {
  const { output } = options;
  const screen = openScreen(terminal, options, output === undefined);
  return withConsole(screen, async ({ client }, signal) => {
    try {
      const chunks = chunksOf(client, signal);
      if (output !== undefined) await saveFile(chunks, resolve(terminal.directory, output));
      else for await (const chunk of chunks) await terminal.stdout.writeBytes(chunk);
      return ExitCode.DONE;
    } catch (failure) {
      if (failure instanceof EndpointNotInReleaseError) return screen.fail(notInRelease(failure));
      const problem = output === undefined ? undefined : notWritten(output, failure);
      if (!problem) throw failure;
      return screen.fail(problem);
    }
  });
}

function notInRelease({ release, availableIn }: EndpointNotInReleaseError): Diagnostic {
  return error(
    "Not in this release of the console",
    `Release ${release} does not have this download. Available in: ${availableIn.join(", ")}. Set the release of the console in the environment variable CONSOLE_RELEASE.`,
  );
}

function notWritten(file: string, failure: unknown): Diagnostic | undefined {
  const problem = fileProblem(failure);
  return problem && error("File cannot be written", `${file}: ${problem.text}.`);
}
