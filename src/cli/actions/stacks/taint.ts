import { error, warning } from "../../../provider/diagnostics";
import { parseAddress, type InstanceAddress } from "../../../runtime/state/address";
import { findInstance, findResource, setInstance } from "../../../runtime/state/instances";
import type { State } from "../../../runtime/state/state";
import { editStored, type Edited } from "../../stacks/edit-stored";
import type { ExitCode } from "../../exit-code";
import { openScreen } from "../../terminal/screen";
import { invalidAddress } from "../../stacks/stored-objects";
import type { StoredOptions } from "../../stacks/stored-stacks";
import type { Terminal } from "../../terminal/terminal";

export interface TaintOptions extends StoredOptions {
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
  const address = parseAddress(text);
  if (!address || address.mode === "data") {
    const screen = openScreen(terminal, options);
    return screen.fail(address ? dataSource(text) : invalidAddress(text));
  }
  return editStored(terminal, options, operation, (state) => {
    const missing = options.allowMissing ? missingButAllowed : noSuchInstance;
    return change(state, address, text, operation) ?? { diagnostics: [missing(text)] };
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
  if (operation === "taint") {
    const tainted = { ...healthy, status: "tainted" } as const;
    return {
      state: setInstance(state, address, resource.provider, tainted),
      lines: [`Resource instance ${text} has been marked as tainted.`],
    };
  }
  if (status === undefined) return { diagnostics: [notTainted(text)] };
  return {
    state: setInstance(state, address, resource.provider, healthy),
    lines: [`Resource instance ${text} has been successfully untainted.`],
  };
}

function dataSource(address: string) {
  return error(
    "Invalid address",
    `Resource instance ${address} cannot be tainted: every plan reads data sources again.`,
  );
}

function noSuchInstance(address: string) {
  return error(
    "No such resource instance",
    `There is no resource instance in the state with the address ${address}. If the resource configuration has just been added, you must apply it once to create the corresponding instance(s) before they can be tainted.`,
  );
}

function missingButAllowed(address: string) {
  return warning(
    "No such resource instance",
    `Resource instance ${address} was not found, but this is not an error because --allow-missing was set.`,
  );
}

function notTainted(address: string) {
  return error(
    "Resource instance is not tainted",
    `Resource instance ${address} is not currently tainted, and so it cannot be untainted.`,
  );
}
