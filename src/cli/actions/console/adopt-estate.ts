import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { readTextNow } from "../../../core/io/read-file";
import { fileFault } from "../../../core/io/file-fault";
import { fileProblem } from "../../../core/io/file-problem";
import { memberOf } from "../../../core/member-of";
import { projectLibrary } from "../../../core/io/project-library";
import { printed } from "../../../core/printed";
import { estateOf, type Estate } from "../../adopt/estate/estate";
import { estateFiles, listFile } from "../../adopt/estate/estate-source";
import { readEstate, type AdoptedTenant } from "../../adopt/estate/read-estate";
import { rowsOfConsoles } from "../../adopt/estate/rows-of-consoles";
import type { PolicyOwnership } from "../../adopt/part";
import { leftOutOf, type LeftOut } from "../../adopt/read-console";
import { writeSource } from "../../adopt/write-source";
import { ExitCode } from "../../exit-code";
import { withLibrary } from "../../init/library";
import { reportExcluded } from "../../stacks/exclusions";
import { listed, listTenants, type ListedTenant } from "../../stacks/tenant-consoles";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import { printTable } from "../../terminal/table";
import type { Terminal } from "../../terminal/terminal";

export interface EstateOptions extends CommonOptions {
  /** TypeScript file, or folder for a `main.ts`. */
  readonly output: string;
  /** Overwrite existing files. */
  readonly force?: boolean;
  readonly ownership: PolicyOwnership;
  /** File of tenants, whose consoles are adopted instead of that of the environment. */
  readonly tenants?: string;
  /** File with the addresses of such consoles. */
  readonly consoles?: string;
  /** Percentage of the tenants that have what the base line has. */
  readonly common: number;
}

/** Writes one program for the consoles of many tenants, without changing them. */
export async function adoptEstate(terminal: Terminal, options: EstateOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { directory } = terminal;
  const rows = rowsFrom(directory, options);
  if ("problem" in rows) return screen.fail(rows.problem);
  const read = await readEstate(screen, rows, options.ownership);
  if (!read) return ExitCode.INTERRUPTED;
  const { found: tenants, excluded } = read;
  reportExcluded(screen, excluded);
  if (tenants.length === 0) return ExitCode.ERROR;
  const estate = estateOf(
    tenants.map(({ row, settings }) => ({ name: row.name, labels: row.labels ?? {}, settings })),
    options.common / 100,
  );
  const output = resolve(directory, options.output);
  const folder = extname(output) === "" ? output : dirname(output);
  const path = relative(directory, folder) || ".";
  const files = estateFiles(estate, tenants, path, options.common / 100);
  for (const [name, text] of files) {
    const source = name === "main.ts" ? withLibrary(text, projectLibrary(folder)) : text;
    const problems = writeSource(join(folder, name), source, options.force === true);
    if (screen.report(problems)) return ExitCode.ERROR;
  }
  summarize(screen, estate, tenants, path);
  return excluded.length === 0 ? ExitCode.DONE : ExitCode.ERROR;
}

/** The rows of the file of tenants, or one for each address of a file of consoles. */
function rowsFrom(
  directory: string,
  { tenants, consoles = "" }: EstateOptions,
): readonly ListedTenant[] | { readonly problem: Diagnostic } {
  if (tenants !== undefined) return listTenants(directory, tenants);
  const file = resolve(directory, consoles);
  try {
    return rowsOfConsoles(readTextNow(file)).map((row) => listed(row, row.url));
  } catch (failure) {
    if (!fileProblem(failure)) throw failure;
    const detail = `${basename(consoles)}: ${fileFault(failure, file)}`;
    return { problem: error("File cannot be read", detail) };
  }
}

const MOST_NAMES = 3;

/** Prints what was left out, once for all tenants that have it alike. */
function printLeftOut(screen: Screen, estate: Estate, tenants: readonly AdoptedTenant[]): void {
  const groups = new Map<string, { readonly left: LeftOut; readonly names: string[] }>();
  for (const [at, { row, adopted }] of tenants.entries()) {
    const license = row.secrets?.license;
    const rows = [
      ...adopted.flatMap(leftOutOf),
      ...(estate.tenants[at]?.policies ? [wholeList] : []),
      ...(license === undefined ? [] : [withoutLicense]),
    ];
    for (const left of rows) {
      const key = JSON.stringify([left.what, left.plan, left.reason]);
      const group = groups.get(key) ?? { left, names: [] };
      group.names.push(row.name);
      groups.set(key, group);
    }
  }
  if (groups.size === 0) return;
  screen.report([
    warning(
      "Not everything is adopted as it is",
      "The stacks cannot declare some of the consoles. An apply and a destroy do not change what is left out.",
    ),
  ]);
  screen.print(printed`\n`);
  const cells = [...groups.values()].map(({ left: { what, plan, reason }, names }) => {
    const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : "";
    const shown = `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
    return [what, shown, plan, reason.replaceAll(/\s+/g, " ")];
  });
  printTable(screen, ["LEFT OUT", "TENANTS", "A PLAN", "REASON"], cells);
}

const wholeList: LeftOut = {
  what: "order of policies",
  names: [],
  plan: "keeps it",
  reason: `Overrides cannot express it: the row has the whole list, as ${listFile("NAME")}.`,
};
const withoutLicense: LeftOut = {
  what: "license",
  names: [],
  plan: "does not manage it",
  reason: "The API cannot read it. Add the secret to the row to install one.",
};

function summarize(
  screen: Screen,
  estate: Estate,
  tenants: readonly AdoptedTenant[],
  folder: string,
): void {
  printLeftOut(screen, estate, tenants);
  const { style } = screen;
  const whole = estate.tenants.filter(({ policies }) => policies).length;
  const differing = estate.tenants.filter(({ overrides }) => Object.keys(overrides).length > 0);
  const labelled = estate.tenants.filter(({ labels }) =>
    estate.variants.has(memberOf(labels, estate.label) ?? ""),
  );
  const written = style.bold(
    style.green(printed`Written: ${folder}/main.ts and ${folder}/tenants.yaml`),
  );
  screen.print(
    printed`\n${written}\n  ${tenants.length} tenants\n  ${labelled.length} with overrides by their label ${estate.label}\n  ${differing.length} with overrides in their rows\n  ${whole} with a whole list of policies\n\nThe first plan imports the existing objects without changing them:\n  cdktf-console plan --app "npx tsx ${folder}/main.ts"\n`,
  );
}
