import { printed } from "../../../core/printed";
import { error, warning } from "../../../core/diagnostics";
import { didYouMean } from "../../../core/suggest";
import { formatAddress, parseAddress, type InstanceAddress } from "../../../core/documents/address";
import { findInstance, findResource, setInstance } from "../../../backends";
import type { State } from "../../../core/documents/state";
import { ExitCode } from "../../exit-code";
import { invalidAddress } from "../../stacks/construct-paths";
import { openStoredStack, type StoredOptions } from "../../stored/stored-stacks";
import { confirm } from "../../terminal/confirmation";
import { forceUnlockRun } from "./force-unlock-run";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { editStored, type Edited } from "./state-actions";

interface TaintOptions extends StoredOptions {
  /** Warn if the object does not exist, instead of failing. */
  readonly allowMissing?: boolean;
}

/** Marks an object as tainted, so that the next plan replaces it. */
export const taint = (terminal: Terminal, address: string, options: TaintOptions) =>
  mark(terminal, address, options, "taint");

/** Removes the mark. */
export const untaint = (terminal: Terminal, address: string, options: TaintOptions) =>
  mark(terminal, address, options, "untaint");

async function mark(
  terminal: Terminal,
  text: string,
  options: TaintOptions,
  operation: "taint" | "untaint",
): Promise<ExitCode> {
  return editStored(terminal, options, operation, (state, find) => {
    const named = find([text]);
    if ("problems" in named) return { diagnostics: named.problems };
    const address = parseAddress(named.addresses[0] ?? text);
    if (!address) return { diagnostics: [invalidAddress(text)] };
    const shown = formatAddress(address);
    if (address.mode === "data") {
      const detail = `Resource instance ${shown} cannot be tainted: every plan reads data sources again.`;
      return { diagnostics: [error("Invalid address", detail)] };
    }
    const changed = change(state, address, shown, operation);
    return changed ?? { diagnostics: [noSuchInstance(shown, state, options.allowMissing)] };
  });
}

/** Undefined if the object does not exist. */
function change(
  state: State,
  address: InstanceAddress,
  text: string,
  operation: "taint" | "untaint",
): Edited | undefined {
  const instance = findInstance(state, address);
  const resource = findResource(state, address);
  if (!instance || !resource) return undefined;
  const { status, ...healthy } = instance;
  const isTaint = operation === "taint";
  if (!isTaint && status === undefined) {
    const detail = `Resource instance ${text} is not currently tainted, and so it cannot be untainted.`;
    return { diagnostics: [error("Resource instance is not tainted", detail)] };
  }
  const marked = isTaint ? ({ ...healthy, status: "tainted" } as const) : healthy;
  const done = isTaint ? "marked as tainted" : "successfully untainted";
  return {
    state: setInstance(state, address, resource.provider, marked),
    lines: [`Resource instance ${text} has been ${done}.`],
  };
}

function noSuchInstance(address: string, { resources }: State, isAllowed = false) {
  const summary = "No such resource instance";
  if (isAllowed) {
    const detail = `Resource instance ${address} was not found, but this is not an error because --allow-missing was set.`;
    return warning(summary, detail);
  }
  const known = resources.flatMap((resource) =>
    resource.instances.map(({ indexKey: key }) => formatAddress({ ...resource, key })),
  );
  return error(
    summary,
    `There is no resource instance in the state with the address ${address}.${didYouMean(address, known)} If the resource configuration has just been added, you must apply it once to create the corresponding instance(s) before they can be tainted.`,
  );
}

export interface ForceUnlockOptions extends StoredOptions {
  /** Skip the confirmation. */
  readonly force?: boolean;
  /** The run whose locks are released: its record, or the ID of that. */
  readonly run?: string;
}

/** Removes the lock with this ID, regardless of its holder. */
export async function forceUnlock(
  terminal: Terminal,
  id: string | undefined,
  options: ForceUnlockOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { run } = options;
  if ((id === undefined) === (run === undefined)) {
    const detail = "Give the ID of one lock, or with --run the run whose locks are released.";
    return screen.fail(error("Either a lock or a run", detail));
  }
  if (run !== undefined) return forceUnlockRun(screen, run, options);
  if (id === undefined) return ExitCode.ERROR;
  const stack = await openStoredStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  if (!options.force) {
    if (options.input === false) {
      const detail =
        "With --no-input there are no questions, so the removal of the lock cannot be confirmed. Use --force to skip the confirmation.";
      return screen.fail(error("Not confirmed", detail));
    }
    const agreed = await confirm(screen, {
      title: "Do you really want to force-unlock?",
      lines: [
        `The lock of ${stack.backend.location} will be removed.`,
        "A run that still holds it would no longer be protected from other runs.",
        "Only 'yes' will be accepted to confirm.",
      ],
      option: "--force",
    });
    if (!agreed) {
      screen.print(printed`\nForce-unlock cancelled.\n`);
      return ExitCode.ERROR;
    }
  }
  if (screen.report(await stack.backend.forceUnlock(id))) return ExitCode.ERROR;
  screen.print(printed`The state has been unlocked.\n`);
  return ExitCode.DONE;
}
