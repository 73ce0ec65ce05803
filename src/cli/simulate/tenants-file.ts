import { resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { errorText, fileProblem } from "../../core/io/file-problem";
import { readTextNow } from "../../core/io/read-file";
import { writeFileNow } from "../../core/io/write-file";
import type { Simulator } from "../../simulator";
import type { Terminal } from "../terminal/terminal";
import { consoleIdOf } from "./console-environment";

const NAME = "tenants.csv";

/** The file of an earlier run. Another one belongs to the user. */
const WRITTEN =
  /^name,url(?:,consoleId)?(?:,project)?\n(?:(?:console|tenant-\d+|project-\d+),https:\/\/127\.\d+\.\d+\.\d+:\d+(?:\/tenant-\d+)?(?:,embedded-\w+)?(?:,project-\d+)?\n)*$/;

/**
 * Writes a row for each embedded console, or each project, into `tenants.csv` of the working directory, as
 * `TenantFleet.fromFile` reads it, and returns the variable that names the file. A file with other
 * tenants is an error: stacks that read it would not use the embedded consoles.
 */
export function writeTenants(
  { directory }: Terminal,
  { consoles, projects }: Simulator,
): { readonly environment: Readonly<Record<string, string>> } | { readonly problem: Diagnostic } {
  const path = resolve(directory, NAME);
  const problem = (text: string) => ({ problem: error("Tenants cannot be written", text) });
  try {
    if (!isReplaceable(path)) {
      return problem(
        `${path} lists other tenants than embedded consoles, and is not replaced. Run this in another folder.`,
      );
    }
    const [{ url: only, console }] = consoles;
    const rows =
      projects.length === 0
        ? consoles.map((one) => [one.name, one.url, consoleIdOf(one.console.data)])
        : projects.map(({ name }) => [name, only, consoleIdOf(console.data), name]);
    const columns = ["name", "url", "consoleId", ...(projects.length === 0 ? [] : ["project"])];
    const lines = [columns, ...rows].map((cells) => `${cells.join(",")}\n`);
    writeFileNow(path, lines.join(""));
    return { environment: { TENANTS_FILE: path } };
  } catch (cause) {
    return problem(`${NAME}: ${errorText(cause)}.`);
  }
}

function isReplaceable(path: string): boolean {
  try {
    return WRITTEN.test(readTextNow(path));
  } catch (cause) {
    if (fileProblem(cause)?.code === "ENOENT") return true;
    throw cause;
  }
}
