import { DEFAULT_RELEASE } from "../../../api/release";
import { dirname, extname, join, relative, resolve } from "node:path";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { projectLibrary } from "../../../core/io/project-library";
import { joined, printed } from "../../../core/printed";
import { catalogue } from "../../../api/catalogue/catalogue";
import {
  ADOPTABLE,
  adoptableAt,
  leftOutOf,
  readConsole,
  type Adopted,
} from "../../adopt/read-console";
import { readPaths } from "../../adopt/read-paths";
import { isAdopted, stackSource } from "../../adopt/stack-source";
import { withLibrary } from "../../init/library";
import { writeSource } from "../../adopt/write-source";
import { adoptEstate, type EstateOptions } from "./adopt-estate";
import { withConsole } from "./console-from-environment";
import { ExitCode } from "../../exit-code";
import { openScreen, type Screen } from "../../terminal/screen";
import { printTable } from "../../terminal/table";
import type { Terminal } from "../../terminal/terminal";

export interface AdoptOptions extends EstateOptions {
  /** Paths to adopt instead of all typed resources. */
  readonly path?: readonly string[];
  /** Kinds to adopt instead of all typed resources. */
  readonly only?: readonly string[];
  /** Name of the stack. */
  readonly name: string;
}

/** Writes a stack for the existing objects of the console, without changing them. */
export async function adopt(terminal: Terminal, options: AdoptOptions): Promise<ExitCode> {
  if (options.tenants !== undefined || options.consoles !== undefined) {
    return adoptEstate(terminal, options);
  }
  const screen = openScreen(terminal, options);
  return withConsole(screen, async (console, signal) => {
    const selected = selection(options);
    if ("problem" in selected) return screen.fail(selected.problem);
    const { typed, paths } = selected;
    const adopted = [
      ...(await readConsole(console, options.ownership, signal, typed)),
      ...(await readPaths(console, paths, signal)),
    ];
    const [first] = adopted;
    if (first?.unread && adopted.every(({ unread }) => unread)) throw first.unread;
    const { baseUrl, release = DEFAULT_RELEASE } = console.client;
    const written = stackSource({ baseUrl, release, stack: options.name, adopted });
    const file = fileOf(resolve(terminal.directory, options.output));
    const source = withLibrary(written, projectLibrary(dirname(file)));
    const problem = writeSource(file, source, options.force === true);
    if (screen.report(problem)) return ExitCode.ERROR;
    summarize(screen, adopted, relative(terminal.directory, file));
    return ExitCode.DONE;
  });
}

function fileOf(output: string): string {
  return /^\.[cm]?ts$/.test(extname(output)) ? output : join(output, "main.ts");
}

/** The typed resources and the paths that the options name. */
function selection({ path = [], only }: AdoptOptions) {
  if (only === undefined && path.length === 0) return { typed: ADOPTABLE, paths: [] };
  const kinds = (only ?? []).map((name) => ({
    name,
    typed: ADOPTABLE.filter(({ resource }) => resource.type === `cwp_${name.replace(/^cwp_/, "")}`),
    kind: catalogue().get(name),
  }));
  const unknown = kinds.find(({ typed, kind }) => typed.length === 0 && !kind);
  if (unknown) return { problem: unknownKind(unknown.name) };
  const at = path.map((one) => ({ one, typed: adoptableAt(one) }));
  return {
    typed: [
      ...new Set([...kinds.flatMap((one) => one.typed), ...at.flatMap((one) => one.typed ?? [])]),
    ],
    paths: [
      ...kinds.flatMap(({ kind }) => kind?.path ?? []),
      ...at.flatMap(({ one, typed }) => (typed ? [] : [one])),
    ],
  };
}

function unknownKind(name: string): Diagnostic {
  const typed = ADOPTABLE.map(({ resource }) => resource.type.replace(/^cwp_/, ""));
  const kinds = [...typed, ...catalogue().keys()].join(", ");
  return error(
    "Unknown kind",
    printed`--only ${JSON.stringify(name)} names no kind. Kinds: ${kinds}.`,
  );
}

/** Prints what was left out, with the reason and with what a plan does about it. */
function printLeftOut(screen: Screen, adopted: readonly Adopted[]): void {
  const rows = adopted.flatMap(leftOutOf);
  if (rows.length === 0) return;
  screen.report([
    warning(
      "Some of the console is not adopted",
      "A stack cannot declare it as it is. An apply and a destroy of the stack do not change it.",
    ),
  ]);
  screen.print(printed`\n`);
  const cells = rows.map(({ what, names, plan, reason }) => [
    what,
    names.join(", "),
    plan,
    reason.replaceAll(/\s+/g, " "),
  ]);
  printTable(screen, ["LEFT OUT", "NAMES", "A PLAN", "REASON"], cells);
}

function nothing(adopted: readonly Adopted[]): string {
  return adopted.some(({ found }) => found > 0)
    ? "Nothing can be adopted as it is. The table names the reasons."
    : "The console has nothing to adopt.";
}

function summarize(screen: Screen, adopted: readonly Adopted[], file: string): void {
  printLeftOut(screen, adopted);
  const counts = adopted
    .filter(isAdopted)
    .map(({ count, collection }) => printed`  ${collection.what}: ${count}\n`);
  const path = /^[\w./-]+$/.test(file) ? file : JSON.stringify(file);
  const { style } = screen;
  const written = style.bold(style.green(printed`Written: ${file}`));
  const adoptedText = counts.length === 0 ? printed`${nothing(adopted)}\n` : joined(counts, "");
  screen.print(
    printed`\n${written}\n${adoptedText}\nThe first plan imports these objects without changing them:\n  cdktf-console plan --app "npx tsx ${path}"\n`,
  );
}
