import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { error, hasErrors, warning, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { readAssembly, selectStacks } from "../../runtime/config/assembly";
import { readJsonFile } from "../../runtime/config/json-file";
import { withConsole } from "../console-from-environment";
import { ExitCode } from "../exit-code";
import { readProject } from "../stacks/cdktf-project";
import { openScreen, type CommonOptions, type Screen } from "../terminal/screen";
import { locateStacks, type AppOptions } from "../stacks";
import { terminalWith, type Terminal } from "../terminal/terminal";
import type { Upgrade } from "../../upgrade/change";
import { findingsOfConsole } from "../../upgrade/console-settings";
import type { Finding } from "../../upgrade/finding";
import { readUpgrade } from "../../upgrade/options";
import { renderJson } from "../../upgrade/report/json";
import type { UpgradeResult } from "../../upgrade/report/result";
import { renderSarif } from "../../upgrade/report/sarif";
import { renderText } from "../../upgrade/report/text";
import { findingsOfCall, findingsOfReports } from "../../upgrade/script-findings";
import { findCalls } from "../../upgrade/scripts/calls";
import { readScripts } from "../../upgrade/scripts/files";
import { findingsOfStack } from "../../upgrade/stacks";

export interface UpgradeOptions extends CommonOptions, AppOptions {
  readonly from?: string;
  readonly to?: string;
  /** Files and folders. */
  readonly scripts?: readonly string[];
  /** Read the environment's console. */
  readonly console?: boolean;
  readonly json?: boolean;
  /** A file, or true for standard output. */
  readonly sarif?: string | true;
}

/** What of a run is looked at. */
interface Scope {
  readonly stacks: boolean;
  readonly console: boolean;
  readonly scripts: boolean;
}

/**
 * Tells what breaks between two releases, in stacks, in a console's settings and in scripts. Exits
 * with 2 where something does; what is deprecated only is none of that.
 */
export async function upgrade(
  terminal: Terminal,
  stacks: readonly string[],
  options: UpgradeOptions,
): Promise<ExitCode> {
  const screen = reportScreen(terminal, options);
  const { upgrade: wanted, diagnostics } = readUpgrade(options);
  const scope = await scopeOf(terminal, stacks, options);
  const problems = [...diagnostics, ...usageProblems(scope, options)];
  const scripts = scope.scripts
    ? await readScripts(options.scripts ?? [], terminal.directory)
    : undefined;
  const failed = screen.report([...problems, ...(scripts?.diagnostics ?? [])]);
  if (failed || !wanted) return ExitCode.ERROR;

  const result: Writable<UpgradeResult> = { ...wanted, findings: [] };
  if (scope.stacks) {
    const found = await checkStacks(screen, stacks, options, wanted);
    if (!found) return ExitCode.ERROR;
    result.stacks = found.names;
    result.findings = [...result.findings, ...found.findings];
  }
  if (scope.console) {
    const code = await withConsole(withRelease(screen, wanted), async ({ client }, signal) => {
      result.console = client.baseUrl;
      const found = await findingsOfConsole(client, wanted, signal);
      result.findings = [...result.findings, ...found];
      return ExitCode.DONE;
    });
    if (code !== ExitCode.DONE) return code;
  }
  if (scripts) {
    const { readings, passedOver } = scripts;
    result.files = { read: readings.length, passedOver };
    const found = [
      ...findCalls(readings).flatMap((call) => findingsOfCall(call, wanted)),
      ...readings.flatMap((reading) => findingsOfReports(reading, wanted)),
    ];
    result.findings = [...result.findings, ...inOrder(found)];
  }
  if (!(await writeResult(screen, result, options))) return ExitCode.ERROR;
  const breaks = result.findings.some(({ severity }) => severity === "error");
  return breaks ? ExitCode.CHANGES : ExitCode.DONE;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Standard output may be for a program: then nothing else stands there, warnings included. */
function reportScreen(terminal: Terminal, options: UpgradeOptions): Screen {
  const isDocument = options.json === true || options.sarif === true;
  if (!isDocument) return openScreen(terminal, options);
  return {
    ...openScreen(terminalWith(terminal, { stdout: terminal.stderr }), options),
    print: (text) => {
      terminal.stdout.write(text);
    },
  };
}

/** What was named; without a name, all that there is: the project's stacks, the environment's console. */
async function scopeOf(
  { directory, environment }: Terminal,
  stacks: readonly string[],
  { scripts, console, app, outDir }: UpgradeOptions,
): Promise<Scope> {
  const namesStacks = stacks.length > 0 || app !== undefined || outDir !== undefined;
  if (namesStacks || scripts !== undefined || console === true) {
    return { stacks: namesStacks, console: console === true, scripts: scripts !== undefined };
  }
  const { project } = await readProject(directory);
  const hasConsole = (environment.CONSOLE_URL ?? "").trim() !== "";
  return { stacks: project !== undefined, console: hasConsole, scripts: false };
}

function usageProblems(scope: Scope, { json, sarif }: UpgradeOptions): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  if (!scope.stacks && !scope.console && !scope.scripts) {
    const detail =
      "There is no cdktf.json in this folder, and CONSOLE_URL is not set. Name scripts with --scripts, stacks with --app or --out-dir, or read a console with --console.";
    problems.push(error("Nothing to check", detail));
  }
  if (json === true && sarif === true) {
    const detail = "--json and --sarif would both print. Give --sarif a file to write.";
    problems.push(error("Two documents", detail));
  }
  return problems;
}

async function checkStacks(
  screen: Screen,
  names: readonly string[],
  options: AppOptions,
  wanted: Upgrade,
): Promise<{ names: readonly string[]; findings: readonly Finding[] } | undefined> {
  const located = await locateStacks(screen, options);
  if (screen.report(located.diagnostics) || located.directory === undefined) return undefined;
  const { assembly, diagnostics } = await readAssembly(located.directory);
  if (screen.report(diagnostics.filter(({ severity }) => severity === "error")) || !assembly) {
    return undefined;
  }
  const selected = selectStacks(assembly, names);
  const problems: Diagnostic[] = [...selected.diagnostics];
  const findings: Finding[] = [];
  for (const { name, file } of selected.stacks) {
    const read = await readJsonFile(file);
    const found = read.kind === "read" ? findingsOfStack(name, read.json, wanted) : undefined;
    if (found) findings.push(...found);
    else problems.push(read.kind === "faulty" ? read.diagnostic : noStack(name, file));
  }
  if (screen.report(problems) || hasErrors(problems)) return undefined;
  return { names: selected.stacks.map(({ name }) => name), findings };
}

function noStack(name: string, file: string): Diagnostic {
  return error(
    `No configuration of stack "${name}"`,
    `${file} is missing, or not what a synth writes. Synthesize the app again.`,
  );
}

/** The console is called by the release that is said to run there. */
function withRelease(screen: Screen, { from }: Upgrade): Screen {
  const { terminal } = screen;
  const stated = terminal.environment.CONSOLE_RELEASE?.trim();
  if (stated !== undefined && stated !== "" && stated !== from) {
    const detail = `CONSOLE_RELEASE is ${stated}; the console is called by --from, ${from}.`;
    screen.report([warning("Another release", detail)]);
  }
  const environment = { ...terminal.environment, CONSOLE_RELEASE: from };
  return { ...screen, terminal: terminalWith(terminal, { environment }) };
}

/** By file and line. */
function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const files = findings.map(({ place }) => (place.kind === "call" ? place.file : ""));
  const line = ({ place }: Finding) => (place.kind === "call" ? place.line : 0);
  return [...new Set(files)].flatMap((file) =>
    findings
      .filter(({ place }) => place.kind === "call" && place.file === file)
      .sort((a, b) => line(a) - line(b)),
  );
}

async function writeResult(
  screen: Screen,
  result: UpgradeResult,
  { json, sarif }: UpgradeOptions,
): Promise<boolean> {
  const { style, width, terminal } = screen;
  if (sarif === true) screen.print(renderSarif(result));
  else if (json === true) screen.print(renderJson(result));
  else screen.print(renderText(result, { style, width }));
  if (typeof sarif !== "string") return true;
  try {
    await writeFile(resolve(terminal.directory, sarif), renderSarif(result));
    return true;
  } catch (cause) {
    screen.report([error("The SARIF file cannot be written", `${sarif}: ${errorText(cause)}.`)]);
    return false;
  }
}
