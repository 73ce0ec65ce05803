import { error, type Diagnostic } from "../../../core/diagnostics";
import { errorText } from "../../../core/io/file-problem";
import { joined, printed } from "../../../core/printed";
import { didYouMean } from "../../../core/suggest";
import { DEFAULT_WORKSPACE, isWorkspaceName, selectWorkspace } from "../../../core/workspace";
import { formatAddress } from "../../../core/documents/address";
import type { State } from "../../../core/documents/state";
import { listInstances } from "../../../backends";
import { type PlacedStack, type Workspaces, workspacesOf } from "../../../language";
import { ExitCode } from "../../exit-code";
import { closingAfter } from "../../stacks/closing";
import { openPlacedStack, type StoredOptions } from "../../stored/stored-stacks";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

// Files and texts are those of `terraform workspace`, so both programs can be used on one stack.

type Options = Omit<StoredOptions, "engine">;

interface Opened {
  readonly screen: Screen;
  readonly stack: PlacedStack;
  readonly known: Workspaces;
  readonly names: readonly string[];
}

export const workspaceShow = async (terminal: Terminal, options: Options): Promise<ExitCode> => {
  const screen = openScreen(terminal, options);
  const placed = await openPlacedStack(screen, options);
  if (!placed) return ExitCode.ERROR;
  screen.print(printed`${placed.workspace}\n`);
  return ExitCode.DONE;
};

export const workspaceList = (terminal: Terminal, options: Options): Promise<ExitCode> =>
  withWorkspaces(terminal, options, ({ screen, stack, names }) => {
    const lines = names.map((name) => printed`${name === stack.workspace ? "*" : " "} ${name}`);
    screen.print(printed`${joined(lines, "\n")}\n\n`);
    if (isOverridden(terminal)) {
      screen.print(
        printed`\nThe active workspace is being overridden using the TF_WORKSPACE environment\nvariable.\n\n`,
      );
    }
    return ExitCode.DONE;
  });

export const workspaceSelect = (
  terminal: Terminal,
  name: string,
  options: Options & { readonly orCreate?: boolean },
): Promise<ExitCode> =>
  withWorkspaces(terminal, options, async (opened) => {
    const { screen, stack, names } = opened;
    const problem = invalidName(name) ?? overridden(terminal, "select a new workspace");
    if (problem) return screen.fail(problem);
    if (!names.includes(name)) {
      return options.orCreate ? create(opened, name) : screen.fail(unknown(name, names));
    }
    if (name === stack.workspace) return ExitCode.DONE;
    await selectWorkspace(stack.directory, terminal.environment, name);
    screen.print(printed`${screen.style.green(printed`Switched to workspace "${name}".`)}\n`);
    return ExitCode.DONE;
  });

export const workspaceNew = (
  terminal: Terminal,
  name: string,
  options: Options,
): Promise<ExitCode> =>
  withWorkspaces(terminal, options, (opened) => {
    const { screen, names } = opened;
    const problem = invalidName(name) ?? overridden(terminal, "create a new workspace");
    if (problem) return screen.fail(problem);
    if (names.includes(name)) {
      const detail = `Select it with "workspace select ${name}", or choose another name.`;
      return screen.fail(error(`Workspace "${name}" already exists`, detail));
    }
    return create(opened, name);
  });

async function create({ screen, stack, known }: Opened, name: string): Promise<ExitCode> {
  if (screen.report(await known.create(name))) return ExitCode.ERROR;
  await selectWorkspace(stack.directory, screen.terminal.environment, name);
  const { style } = screen;
  screen.print(
    printed`${style.bold(style.green(printed`Created and switched to workspace "${name}"!`))}\n\n${style.green(printed`You're now on a new, empty workspace. Workspaces isolate their state,\nso a plan will not see any existing state of this stack.`)}\n`,
  );
  return ExitCode.DONE;
}

export const workspaceDelete = (
  terminal: Terminal,
  name: string,
  options: Options & { readonly force?: boolean },
): Promise<ExitCode> =>
  withWorkspaces(terminal, options, async ({ screen, stack, known, names }) => {
    if (!names.includes(name)) return screen.fail(unknown(name, names));
    if (name === stack.workspace || name === DEFAULT_WORKSPACE) return screen.fail(inUse(name));
    const { backend, remove } = known.open(name);
    const { lock, diagnostics } = await backend.lock({ operation: "workspace delete" });
    screen.report(diagnostics);
    if (!lock) return ExitCode.ERROR;
    const work = async (): Promise<ExitCode> => {
      const { state, diagnostics: found } = await backend.read();
      if (screen.report(found) && !options.force) return ExitCode.ERROR;
      const tracked = state ? addressesOf(state) : [];
      if (tracked.length > 0 && !options.force) return screen.fail(notEmpty(name, tracked));
      await remove();
      const { style } = screen;
      screen.print(printed`${style.green(printed`Deleted workspace "${name}"!`)}\n`);
      if (tracked.length > 0) {
        screen.print(
          printed`${style.yellow(printed`WARNING: "${name}" was non-empty.\nThe resources managed by the deleted workspace may still exist,\nbut are no longer manageable since the state has\nbeen deleted.`)}\n`,
        );
      }
      return ExitCode.DONE;
    };
    return closingAfter(screen, work, () => lock.release());
  });

function addressesOf(state: State): readonly string[] {
  return listInstances(state).map(({ address }) => formatAddress(address));
}

/** Runs an action on the workspaces of one stack. */
async function withWorkspaces(
  terminal: Terminal,
  options: Options,
  action: (opened: Opened) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const stack = await openPlacedStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  const { directory } = stack;
  const { environment, directory: workingDirectory } = terminal;
  const place = { directory, environment, workingDirectory };
  const { workspaces: known, diagnostics } = workspacesOf(stack.backend, place);
  if (screen.report(diagnostics) || !known) return ExitCode.ERROR;
  try {
    return await action({ screen, stack, known, names: await known.list() });
  } catch (cause) {
    const detail = `The workspaces of stack "${stack.name}" are in ${known.location}: ${errorText(cause)}.`;
    return screen.fail(error("Workspaces cannot be read or changed", detail));
  }
}

const isOverridden = ({ environment }: Terminal) => (environment.TF_WORKSPACE ?? "") !== "";

function overridden(terminal: Terminal, purpose: string): Diagnostic | undefined {
  if (!isOverridden(terminal)) return undefined;
  return error(
    "The selected workspace is currently overridden using the TF_WORKSPACE environment variable",
    `To ${purpose}, either update this environment variable or unset it, and then run this command again.`,
  );
}

function invalidName(name: string): Diagnostic | undefined {
  if (isWorkspaceName(name)) return undefined;
  return error(
    `The workspace name ${JSON.stringify(name)} is not allowed`,
    "The name must contain only URL safe characters, and no path separators.",
  );
}

function unknown(name: string, names: readonly string[]): Diagnostic {
  return error(
    `Workspace "${name}" doesn't exist`,
    `The workspaces are ${names.join(", ")}.${didYouMean(name, names)} You can create this workspace with "workspace new ${name}", or with "workspace select --or-create ${name}".`,
  );
}

function inUse(name: string): Diagnostic {
  const summary =
    name === DEFAULT_WORKSPACE
      ? "The default workspace cannot be deleted"
      : `Workspace "${name}" is your active workspace`;
  const detail =
    name === DEFAULT_WORKSPACE
      ? 'Use "destroy" to remove its objects.'
      : "You cannot delete the currently active workspace. Switch to another workspace and try again.";
  return error(summary, detail);
}

function notEmpty(name: string, addresses: readonly string[]): Diagnostic {
  const list = joined(
    addresses.map((address) => printed`  - ${address}`),
    "\n",
  );
  return error(
    "Workspace is not empty",
    printed`Workspace "${name}" is currently tracking the following resource instances:\n${list}\n\nIf the workspace is deleted, nothing knows these objects any longer, and you would have to delete them by hand. Destroy them before you delete the workspace, or use --force to delete it anyway.`,
  );
}
