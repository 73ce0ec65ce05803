import { error, type Diagnostic } from "../../../core/diagnostics";
import { parseAddress } from "../../../core/documents/address";
import { block, printed } from "../../../core/printed";
import { cwpProvider } from "../../../provider/cwp-provider";
import { importObject as importInto } from "../../../runtime";
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
import type { ProgramEngineOptions } from "../../terraform/engine";
import type { Terminal } from "../../terminal/terminal";

export interface ImportCommandOptions extends CommonOptions, ProgramEngineOptions {
  readonly engine: Engine;
  /** Milliseconds. */
  readonly lockTimeout: number;
}

const SUCCESS = printed`
Import successful!

The resources that were imported are shown above. These resources are now in
your Terraform state and will henceforth be managed by Terraform.
`;

/** Imports existing objects of a console into the state of a stack. */
export async function importObject(
  terminal: Terminal,
  stack: string,
  address: string,
  id: string | undefined,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { engine } = options;
  if (engine !== "embedded") return importWith(screen, engine, [stack, address, id], options);
  const directory = await locateStacks(screen, options);
  if (directory === undefined) return ExitCode.ERROR;
  return interruptible(screen, async (interruption) => {
    const { imported, interrupted, diagnostics } = await importInto({
      ...loadOptions(screen, directory, [{ name: stack }], options),
      ...interruption,
      stack,
      address,
      ...(id !== undefined && { id }),
      lockWaitMs: options.lockTimeout,
      advice: adviceOf(options),
      environment: terminal.environment,
      observe: followRun(screen, [stack]).observe,
    });
    if (imported !== undefined) screen.print(screen.style.green(SUCCESS));
    const failed = screen.report(diagnostics);
    if (interrupted) {
      screen.print(printed`\nThe import was interrupted. Nothing was changed.\n`);
      return ExitCode.INTERRUPTED;
    }
    return failed ? ExitCode.ERROR : ExitCode.DONE;
  });
}

/** Imports an object with another engine. */
async function importWith(
  screen: Screen,
  engine: Program,
  [name, text, given]: readonly [string, string, string | undefined],
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const selected = await selectedStacks(screen, [name], options);
  if (!selected) return ExitCode.ERROR;
  const [stack, ...others] = selected.stacks;
  if (!stack || others.length > 0) return screen.fail(notOneStack(name));
  const found = await resolveInStacks([text], [stack]);
  if ("problems" in found) return screen.fail(...found.problems);
  const [address = text] = found.addresses;
  const type = parseAddress(address)?.type;
  const id = given ?? cwpProvider.resources.find((one) => one.type === type)?.importId;
  if (id === undefined) return screen.fail(MISSING_ID);
  const { folderOpener } = await import("../../terraform/engine-folder.js");
  const { folderOf, diagnostics } = await folderOpener(screen, engine, "import", options, [stack]);
  if (!folderOf) return screen.fail(...diagnostics);
  const imported = await folderOf(stack).importObject(address, id);
  if (screen.report(imported.diagnostics)) return ExitCode.ERROR;
  screen.print(printed`${block(imported.out ?? "")}`);
  return ExitCode.DONE;
}

function notOneStack(name: string): Diagnostic {
  return error("Ambiguous stack", `${name} is the name of no stack, or a pattern of several.`);
}

const MISSING_ID = error(
  "Missing import ID",
  "Objects of this type have no usual ID. Name the ID behind the address.",
);
