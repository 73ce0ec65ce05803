import { join, resolve } from "node:path";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { readTextFile } from "../../../core/io/read-file";
import { world } from "../../../core/io/world";
import { printed } from "../../../core/printed";
import { compareStrings } from "../../../core/values";
import { statusSchema, type StatusDocument } from "../../../review/status/status-schema";
import { statusMarkdown, statusText } from "../../../review/status/status-text";
import { formatMinute } from "../../../formats/text/time-text";
import { lookingProvider } from "../../../provider/cwp-provider";
import { Session } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import { adviceOf } from "../../stacks/advice";
import type { AppOptions } from "../../stacks/app-stacks";
import { closingAfter } from "../../stacks/closing";
import { followRun, VERBS } from "../../stacks/follow-run";
import { OpenConsoles } from "../../stacks/open-consoles";
import { ProtectionGate, type GateOptions } from "../../stacks/protection-gate";
import { readRunning, describeStatus } from "../../stored/read-status";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { readLabels, selectedStacks, type SelectionOptions } from "../../stacks/selection";
import { interruptible } from "../../terminal/interruption";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { prepareFile, writeTextFile } from "../../terminal/write-file";

export interface StatusOptions
  extends
    CommonOptions,
    AppOptions,
    SelectionOptions,
    VariableOptions,
    Pick<GateOptions, "contract"> {
  readonly parallelism?: number;
  /** Days. */
  readonly within: number;
  readonly live?: boolean;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
  /** Folder of earlier documents. */
  readonly trend?: string;
}

/** Reads the consoles of all selected stacks once. Takes no lock, and writes no state. */
export async function status(
  terminal: Terminal,
  names: readonly string[],
  options: StatusOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const files = [options.markdown, options.html].flatMap((file) => file ?? []);
  const checked = await Promise.all(files.map((file) => prepareFile(terminal, file, "status")));
  if (screen.report(checked.flat())) return ExitCode.ERROR;
  const trend = await readTrend(terminal, options.trend);
  if ("problem" in trend) return screen.fail(trend.problem);
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  const { stacks, all, directory } = selected;
  const opened = await ProtectionGate.open(terminal, options, {
    names: all.map(({ name }) => name),
    labels: () => readLabels(all),
  });
  if ("problems" in opened) return screen.fail(...opened.problems);
  const { gate } = opened;
  const consoles = options.live ? new OpenConsoles(lookingProvider) : undefined;
  const provider = consoles?.definition ?? lookingProvider;
  const load = loadOptions(screen, directory, stacks, { ...options, provider });
  return interruptible(screen, async (interruption) => {
    const follower = followRun(
      {
        ...screen,
        print: (text) => {
          screen.aside(text);
        },
      },
      stacks.map(({ name }) => name),
    );
    follower.begin(VERBS.status, stacks.length);
    const session = await Session.plan({
      ...load,
      ...interruption,
      ...(options.parallelism !== undefined && { parallelism: options.parallelism }),
      mode: "normal",
      operation: "plan",
      readOnly: true,
      refresh: true,
      advice: adviceOf(options, all.length === 1),
      environment: terminal.environment,
      reached: follower.reached,
      stepped: follower.stepped,
      planned: follower.ended,
    }).finally(follower.pause);
    const work = async () => {
      if (session.interrupted || interruption.stop.aborted) return ExitCode.INTERRUPTED;
      if (screen.report(session.problems)) return ExitCode.ERROR;
      const running = await readRunning(session.plans, consoles, interruption);
      const { within } = options;
      const document = await describeStatus(terminal, { session, gate, stacks, running, within });
      return printStatus(screen, document, trend.documents, options);
    };
    return closingAfter(screen, work, async () => {
      await consoles?.close();
      return session.close();
    });
  });
}

/** Prints a status, and writes its files. */
async function printStatus(
  screen: Screen,
  document: StatusDocument,
  trend: readonly StatusDocument[],
  { json, markdown, html }: StatusOptions,
): Promise<ExitCode> {
  const { terminal } = screen;
  const written = [
    ...(markdown === undefined
      ? []
      : writeTextFile(terminal, markdown, statusMarkdown(document), "status")),
    ...(html === undefined
      ? []
      : writeTextFile(terminal, html, await htmlOf(document, trend), "status")),
  ];
  if (json) screen.printDocument(`${JSON.stringify(document)}\n`);
  else screen.print(statusText(document, screen.style));
  const [before] = trend.slice(-1);
  if (!json && before) {
    const time = formatMinute(before.created_at);
    screen.print(printed`\nOn ${time}: ${before.total - before.quiet} of ${before.total}.\n`);
  }
  if (screen.report(written)) return ExitCode.ERROR;
  return EXIT_CODES.get(document.exit_code) ?? ExitCode.ERROR;
}

/** The renderer of pages is loaded when a page is written. */
async function htmlOf(document: StatusDocument, trend: readonly StatusDocument[]): Promise<string> {
  const { statusHtml } = await import("../../stacks/render-reviews.js");
  return statusHtml(document, trend);
}

const EXIT_CODES: ReadonlyMap<number, ExitCode> = new Map(
  Object.values(ExitCode).map((code) => [code, code]),
);

/** Reads the earlier documents of a folder, the first one first. Other files are left out. */
async function readTrend(
  { directory }: Terminal,
  folder: string | undefined,
): Promise<{ documents: readonly StatusDocument[] } | { problem: Diagnostic }> {
  if (folder === undefined) return { documents: [] };
  const path = resolve(directory, folder);
  let names: readonly string[];
  try {
    names = await world.files.readdir(path);
  } catch (cause) {
    return { problem: error("Folder cannot be read", `${folder}: ${fileFault(cause, path)}`) };
  }
  const documents: StatusDocument[] = [];
  for (const name of names.filter((file) => file.endsWith(".json"))) {
    try {
      const text = await readTextFile(join(path, name));
      const parsed = statusSchema.safeParse(JSON.parse(text));
      if (parsed.success) documents.push(parsed.data);
    } catch {
      // A document that is being written, or another file.
    }
  }
  documents.sort((a, b) => compareStrings(a.created_at, b.created_at));
  return { documents };
}
