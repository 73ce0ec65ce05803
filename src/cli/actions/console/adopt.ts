import { DEFAULT_RELEASE } from "../../../api/release";
import { dirname, extname, join, relative, resolve } from "node:path";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { fileProblem } from "../../../core/io/file-problem";
import { makeFolder } from "../../../core/io/make-folder";
import { projectLibrary } from "../../../core/io/project-library";
import { writeFileNow } from "../../../core/io/write-file";
import { joined, printable, printed } from "../../../core/printed";
import { readConsole, type Adopted, type PolicyOwnership } from "../../adopt/read-console";
import { readPaths } from "../../adopt/read-paths";
import { isAdopted, stackSource } from "../../adopt/stack-source";
import { withLibrary } from "../../init/library";
import { withConsole } from "./console-from-environment";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export interface AdoptOptions extends CommonOptions {
  /** TypeScript file, or folder for a `main.ts`. */
  readonly output: string;
  /** Overwrite an existing file. */
  readonly force?: boolean;
  readonly ownership: PolicyOwnership;
  /** Paths to adopt instead of all typed resources. */
  readonly path?: readonly string[];
  /** Name of the stack. */
  readonly name: string;
}

/** Writes a stack for the existing objects of the console, without changing them. */
export async function adopt(terminal: Terminal, options: AdoptOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  return withConsole(screen, async (console, signal) => {
    const adopted = options.path
      ? await readPaths(console, options.path, signal)
      : await readConsole(console, options.ownership, signal);
    const { baseUrl, release = DEFAULT_RELEASE } = console.client;
    const written = stackSource({ baseUrl, release, stack: options.name, adopted });
    const file = fileOf(resolve(terminal.directory, options.output));
    const source = withLibrary(written, projectLibrary(dirname(file)));
    const problem = write(file, source, options.force === true);
    if (screen.report([...adopted.flatMap(leftOut), ...problem])) return ExitCode.ERROR;
    summarize(screen, adopted, relative(terminal.directory, file));
    return ExitCode.DONE;
  });
}

function fileOf(output: string): string {
  return /^\.[cm]?ts$/.test(extname(output)) ? output : join(output, "main.ts");
}

function write(file: string, source: string, force: boolean): readonly Diagnostic[] {
  try {
    makeFolder(dirname(file));
  } catch (failure) {
    return [notWritten(dirname(file), failure)];
  }
  try {
    writeFileNow(file, source, force ? "replace" : "create");
    return [];
  } catch (failure) {
    if (fileProblem(failure)?.code !== "EEXIST") return [notWritten(file, failure)];
    return [error("File already exists", `${file} exists. Use --force to overwrite it.`)];
  }
}

function notWritten(path: string, failure: unknown): Diagnostic {
  const problem = fileProblem(failure);
  if (!problem) throw failure;
  return error("Stack cannot be written", `${path}: ${problem.text}.`);
}

function leftOut({ collection, found, count, obstacles }: Adopted): readonly Diagnostic[] {
  const left = count === 0 ? collection.what : `${found - count} of ${found} ${collection.what}`;
  return obstacles.map(({ summary, detail }) =>
    warning(
      `Not adopted: ${left}`,
      `A stack cannot declare them as they are. ${summary}: ${detail}`,
    ),
  );
}

const MOST_NAMED = 5;

function several(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const first = names.slice(0, MOST_NAMED).map(printable);
  return `${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function nothing(adopted: readonly Adopted[]): string {
  return adopted.some(({ found }) => found > 0)
    ? "Nothing can be adopted as it is. The warnings name the reasons."
    : "The console has nothing to adopt.";
}

function summarize(screen: Screen, adopted: readonly Adopted[], file: string): void {
  const counts = adopted
    .filter(isAdopted)
    .map(
      ({ count, collection, unmanaged }) =>
        printed`  ${count} ${collection.what}${unmanaged.length === 0 ? "" : ` (left on the console: ${several(unmanaged)})`}\n`,
    );
  const path = /^[\w./-]+$/.test(file) ? file : JSON.stringify(file);
  const { style } = screen;
  const written = style.bold(style.green(printed`Written: ${file}`));
  const adoptedText = counts.length === 0 ? printed`${nothing(adopted)}\n` : joined(counts, "");
  screen.print(
    printed`\n${written}\n${adoptedText}\nThe first plan imports these objects without changing them:\n  cdktf-console plan --app "npx tsx ${path}"\n`,
  );
}
