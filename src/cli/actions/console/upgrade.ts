import type { Environment } from "../../../core/environment";
import { error, warning, type Diagnostic } from "../../../core/diagnostics";
import { readConfiguration, type StackEntry } from "../../../language";
import { checkTenants } from "./upgrade-tenants";
import { withConsole, type ConsoleWork } from "./console-from-environment";
import { ExitCode } from "../../exit-code";
import { readProject } from "../../stacks/synthesize";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { AppOptions } from "../../stacks/app-stacks";
import { selectedStacks, type SelectionOptions } from "../../stacks/selection";
import type { Terminal } from "../../terminal/terminal";
import { printable } from "../../../core/printed";
import { wordWrap } from "../../../formats/text/word-wrap";
import { readUpgrade, type Upgrade } from "../../../upgrade/change";
import { findingsOfConsole } from "../../../upgrade/console-settings";
import { isBreaking, type UpgradeFinding, type UpgradeResult } from "../../../upgrade/finding";
import { renderJson } from "../../../upgrade/report/json-report";
import { renderText } from "../../../upgrade/report/text-report";
import { patternsOf } from "../../../upgrade/patterns";
import { searchScripts } from "../../../upgrade/search-scripts";
import { findingsOfStack } from "../../../upgrade/stacks";

export interface UpgradeOptions extends CommonOptions, AppOptions, SelectionOptions {
  readonly from?: string;
  readonly to?: string;
  /** Files and folders. */
  readonly scripts?: readonly string[];
  /** Print the patterns of `--scripts` instead of a report. */
  readonly patterns?: boolean;
  /** Read the environment's console. */
  readonly console?: boolean;
  /** File of tenants, whose consoles are read instead of that of the environment. */
  readonly tenants?: string;
  readonly json?: boolean;
}

/** The parts that a run checks. */
interface Scope {
  readonly stacks: boolean;
  readonly console: boolean;
  readonly scripts: boolean;
}

/**
 * Reports what breaks between two releases, in stacks, in the settings of a console and in scripts.
 * The exit code is 2 if something breaks. Deprecations alone do not count.
 */
export async function upgrade(
  terminal: Terminal,
  stacks: readonly string[],
  options: UpgradeOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const { upgrade: wanted, diagnostics } = readUpgrade(options);
  if (options.patterns === true) return printPatterns(screen, wanted, diagnostics, options);
  const scope = await scopeOf(terminal, stacks, options);
  const problems = [...diagnostics, ...usageProblems(scope, options)];
  const scripts = scope.scripts
    ? await searchScripts(
        options.scripts ?? [],
        terminal.directory,
        wanted ? patternsOf(wanted) : [],
      )
    : undefined;
  const failed = screen.report([...problems, ...(scripts?.diagnostics ?? [])]);
  if (failed || !wanted) return ExitCode.ERROR;

  let result: UpgradeResult = { ...wanted, findings: [] };
  const add = (part: Partial<UpgradeResult>, found: readonly UpgradeFinding[]) => {
    result = { ...result, ...part, findings: [...result.findings, ...found] };
  };
  if (scope.stacks) {
    const found = await checkStacks(screen, stacks, options, wanted);
    if (!found) return ExitCode.ERROR;
    add({ stacks: found.names }, found.findings);
  }
  const { tenants } = options;
  const reads = scope.console || tenants !== undefined;
  const environment = reads ? withRelease(screen, wanted) : {};
  if (scope.console) {
    const readSettings: ConsoleWork = async ({ client }, signal) => {
      add({ console: client.address }, await findingsOfConsole(client, wanted, signal));
      return ExitCode.DONE;
    };
    const code = await withConsole(screen, readSettings, environment);
    if (code !== ExitCode.DONE) return code;
  }
  let isComplete = true;
  if (tenants !== undefined) {
    const selected = { file: tenants, names: stacks, options };
    const of = await checkTenants(screen, selected, wanted, environment);
    if (typeof of === "number") return of;
    add({ tenants: of.names }, of.findings);
    isComplete = of.isComplete;
  }
  if (scripts) {
    const { findings, read, passedOver, foldersPassedOver } = scripts;
    add({ files: { read, passedOver, foldersPassedOver } }, findings);
  }
  printResult(screen, result, options);
  if (!isComplete) return ExitCode.ERROR;
  return result.findings.some(isBreaking) ? ExitCode.CHANGES : ExitCode.DONE;
}

/**
 * Without options, checks what there is: the stacks of the project, the console of the environment.
 * With a file of tenants, names and the options that select stacks select its tenants.
 */
async function scopeOf(
  { directory, environment }: Terminal,
  stacks: readonly string[],
  { scripts, console, app, outDir, label, exclude, ...options }: UpgradeOptions,
): Promise<Scope> {
  const { stacksFrom, shard, changedFrom, tenants } = options;
  if (tenants !== undefined) {
    const stacks = app !== undefined || outDir !== undefined;
    return { stacks, console: false, scripts: scripts !== undefined };
  }
  const selecting = [app, outDir, label, exclude, stacksFrom, shard, changedFrom];
  const namesStacks = stacks.length > 0 || selecting.some((option) => option !== undefined);
  if (namesStacks || scripts !== undefined || console === true) {
    return { stacks: namesStacks, console: console === true, scripts: scripts !== undefined };
  }
  const { project } = await readProject(directory);
  const hasConsole = (environment.CONSOLE_URL ?? "").trim() !== "";
  return { stacks: project !== undefined, console: hasConsole, scripts: false };
}

function usageProblems(scope: Scope, { tenants }: UpgradeOptions): readonly Diagnostic[] {
  if (scope.stacks || scope.console || scope.scripts || tenants !== undefined) return [];
  const detail =
    "There is no cdktf.json in this folder, and CONSOLE_URL is not set. Check scripts with --scripts, stacks with --app or --out-dir, or a console with --console.";
  return [error("Nothing to check", detail)];
}

async function checkStacks(
  screen: Screen,
  names: readonly string[],
  options: UpgradeOptions,
  wanted: Upgrade,
): Promise<{ names: readonly string[]; findings: readonly UpgradeFinding[] } | undefined> {
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return undefined;
  const problems: Diagnostic[] = [];
  const findings: UpgradeFinding[] = [];
  for (const entry of selected.stacks) {
    const read = await readConfiguration(entry);
    const found = "json" in read ? findingsOfStack(entry.name, read.json, wanted) : undefined;
    if (found) findings.push(...found);
    else problems.push("problem" in read ? read.problem : notConfiguration(entry));
  }
  if (screen.report(problems)) return undefined;
  return { names: selected.stacks.map(({ name }) => name), findings };
}

function notConfiguration({ name, file }: StackEntry): Diagnostic {
  const detail = `${file} is not a configuration that synth writes. Synthesize the app again.`;
  return error(`No configuration of stack "${name}"`, detail);
}

/** The environment with the release of `--from`, by which the console is called. */
function withRelease(screen: Screen, { from }: Upgrade): Environment {
  const { environment } = screen.terminal;
  const stated = environment.CONSOLE_RELEASE?.trim();
  if (stated !== undefined && stated !== "" && stated !== from) {
    const detail = `CONSOLE_RELEASE is ${stated}, but --from is ${from}. The console is read as release ${from}.`;
    screen.report([warning("Conflicting releases", detail)]);
  }
  return { ...environment, CONSOLE_RELEASE: from };
}

/** Prints one expression a line, which `grep -E -f` reads, or the whole table as JSON. */
function printPatterns(
  screen: Screen,
  wanted: Upgrade | undefined,
  diagnostics: readonly Diagnostic[],
  { json }: UpgradeOptions,
): ExitCode {
  if (screen.report(diagnostics) || !wanted) return ExitCode.ERROR;
  const patterns = patternsOf(wanted);
  const lines = [...new Set(patterns.map(({ expression }) => expression))];
  screen.printDocument(
    json === true ? `${JSON.stringify(patterns, undefined, 2)}\n` : `${lines.join("\n")}\n`,
  );
  return ExitCode.DONE;
}

function printResult(screen: Screen, result: UpgradeResult, { json }: UpgradeOptions): void {
  const { style, width } = screen;
  if (json === true) {
    screen.printDocument(renderJson(result));
    return;
  }
  const wrap = (text: string, indentation: number) => wordWrap(text, width - indentation);
  screen.print(renderText(result, { ...style, printable, wrap }));
}
