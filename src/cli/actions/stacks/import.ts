import { error, type Diagnostic } from "../../../core/diagnostics";
import { parseAddress } from "../../../core/documents/address";
import { block, printed } from "../../../core/printed";
import { cwpProvider } from "../../../provider/cwp-provider";
import { importObject } from "../../../runtime";
import type { StackEntry } from "../../../language";
import { adviceOf } from "../../stacks/advice";
import { loadOptions } from "../../stacks/run-options";
import { followRun } from "../../stacks/follow-run";
import { ExitCode } from "../../exit-code";
import { interruptible } from "../../terminal/interruption";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import { locateStacks } from "../../stacks/app-stacks";
import { resolveInStacks } from "../../stacks/construct-paths";
import type { Engine, Program } from "../../stacks/engines";
import { selectedStacks } from "../../stacks/selection";
import { listTenants } from "../../stacks/tenant-consoles";
import { reportOfStacks } from "../../stacks/exclusions";
import type { ProgramEngineOptions } from "../../terraform/engine";
import type { Terminal } from "../../terminal/terminal";

export interface ImportCommandOptions extends CommonOptions, ProgramEngineOptions {
  readonly engine: Engine;
  /** Milliseconds. */
  readonly lockTimeout: number;
  /** File of tenants, into whose stacks the object is imported. */
  readonly tenants?: string;
}

const SUCCESS = printed`
Import successful!

The resources that were imported are shown above. These resources are now in
your Terraform state and will henceforth be managed by Terraform.
`;

/** The objects to import: one for each stack. */
interface Wanted {
  readonly stacks: readonly string[];
  readonly address: string;
  readonly id: string | undefined;
}

/**
 * Imports existing objects of a console into the state of a stack, or of consoles into the states of
 * tenants: then the address is the first argument.
 */
export async function importObjects(
  terminal: Terminal,
  ...[first, second, third, options]: [
    first: string,
    second: string | undefined,
    third: string | undefined,
    options: ImportCommandOptions,
  ]
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { engine, tenants } = options;
  const listed = tenants === undefined ? [] : listTenants(terminal.directory, tenants);
  if ("problem" in listed) return screen.fail(listed.problem);
  const [address, id, ...more] = tenants === undefined ? [second, third] : [first, second, third];
  if (address === undefined) return screen.fail(MISSING_ADDRESS);
  if (more[0] !== undefined) return screen.fail(STACK_AND_TENANTS);
  const stacks = tenants === undefined ? [first] : listed.map(({ name }) => name);
  const wanted = { stacks, address, id };
  return engine === "embedded"
    ? importEmbedded(screen, wanted, options)
    : importWith(screen, engine, wanted, options);
}

async function importEmbedded(
  screen: Screen,
  { stacks, address, id }: Wanted,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const directory = await locateStacks(screen, options);
  if (directory === undefined) return ExitCode.ERROR;
  const named = stacks.map((name) => ({ name }));
  return interruptible(screen, async (interruption) => {
    const follower = followRun(screen, stacks);
    follower.begin("Importing", stacks.length);
    const result = await importObject({
      ...loadOptions(screen, directory, named, options),
      ...interruption,
      address,
      ...(id !== undefined && { id }),
      lockWaitMs: options.lockTimeout,
      advice: adviceOf(options),
      environment: screen.terminal.environment,
      observe: follower.observe,
      planned: follower.ended,
    }).finally(follower.pause);
    const { imported, interrupted: isInterrupted, diagnostics, ofStacks } = result;
    if (imported.size > 0) screen.print(screen.style.green(SUCCESS));
    const failed = [
      screen.report(diagnostics),
      ...(stacks.length === 1
        ? ofStacks.map((one) => screen.report(one.diagnostics))
        : [reportOfStacks(screen, ofStacks)]),
    ].some(Boolean);
    if (stacks.length > 1) printCount(screen, imported.size, stacks.length);
    if (isInterrupted) return interrupted(screen, imported.size);
    return failed ? ExitCode.ERROR : ExitCode.DONE;
  });
}

/** Imports objects with another engine, one stack after the other. */
async function importWith(
  screen: Screen,
  engine: Program,
  { stacks: names, address: text, id: given }: Wanted,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  const { stacks } = selected;
  if (stacks.length !== names.length) return screen.fail(notOneStack(names.join(", ")));
  const several = stacks.length > 1;
  const found = await Promise.all(stacks.map((stack) => objectIn(stack, text, given)));
  const faults = found.flatMap((one) =>
    "problems" in one ? [{ stack: one.stack.name, diagnostics: one.problems }] : [],
  );
  if (several && reportOfStacks(screen, faults)) return ExitCode.ERROR;
  const [fault] = faults;
  if (fault) return screen.fail(...fault.diagnostics);
  const objects = found.flatMap((one) => ("problems" in one ? [] : [one]));
  const { folderOpener } = await import("../../terraform/engine-folder.js");
  const run = { program: engine, operation: "import" };
  const { folderOf, diagnostics } = await folderOpener(screen, run, options, stacks);
  if (!folderOf) return screen.fail(...diagnostics);
  return interruptible(screen, async ({ stop }) => {
    let imported = 0;
    for (const { stack, address, id } of objects) {
      if (stop.aborted) break;
      const { out = "", diagnostics: problems } = await folderOf(stack).importObject(address, id);
      if (several) screen.printHeading(stack.name);
      if (screen.report(problems)) continue;
      imported++;
      screen.print(printed`${block(out)}`);
    }
    if (several) printCount(screen, imported, stacks.length);
    if (stop.aborted) return interrupted(screen, imported);
    return imported === stacks.length ? ExitCode.DONE : ExitCode.ERROR;
  });
}

/** Finds the resource of an address or construct path in a stack, and the ID of its object. */
async function objectIn(stack: StackEntry, text: string, given: string | undefined) {
  const found = await resolveInStacks([text], [stack]);
  if ("problems" in found) return { stack, problems: found.problems };
  const [address = text] = found.addresses;
  const type = parseAddress(address)?.type;
  const id = given ?? cwpProvider.resources.find((one) => one.type === type)?.importId;
  return id === undefined ? { stack, problems: [MISSING_ID] } : { stack, address, id };
}

function printCount(screen: Screen, imported: number, stacks: number): void {
  screen.print(printed`\nImported into ${imported} of ${stacks} stacks.\n`);
}

function interrupted(screen: Screen, imported: number): ExitCode {
  const unchanged = imported === 0 ? " Nothing was changed." : "";
  screen.print(printed`\nThe import was interrupted.${unchanged}\n`);
  return ExitCode.INTERRUPTED;
}

function notOneStack(name: string): Diagnostic {
  return error("Ambiguous stack", `${name} is the name of no stack, or a pattern of several.`);
}

const MISSING_ID = error(
  "Missing import ID",
  "Objects of this type have no usual ID. Name the ID behind the address.",
);

const MISSING_ADDRESS = error(
  "Missing address",
  "The import has no address behind the stack. Name the stack, then the address of the resource or the path of its construct; with --tenants, only the address.",
);

const STACK_AND_TENANTS = error(
  "Too many arguments",
  "With --tenants, the stacks are those of the tenants. Name only the address, and the ID if there is one.",
);
