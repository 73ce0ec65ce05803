import { error, type Diagnostic } from "../../../provider/diagnostics";
import { formatAddress, formatResourceAddress } from "../../../runtime/state/address";
import type { State } from "../../../runtime/state/state";
import { editStored, type Edited } from "../../stacks/edit-stored";
import { ExitCode } from "../../exit-code";
import { openScreen } from "../../terminal/screen";
import { addressProblems } from "../../stacks/stored-objects";
import type { StoredOptions } from "../../stacks/stored-stacks";
import type { Terminal } from "../../terminal/terminal";

export interface StateEditOptions extends StoredOptions {
  /** Print the result without changing the state. */
  readonly dryRun?: boolean;
}

/** Removes objects from the state. They stay on their console. */
export async function stateRemove(
  terminal: Terminal,
  addresses: readonly string[],
  options: StateEditOptions,
): Promise<ExitCode> {
  if (openScreen(terminal, options).report(addressProblems(addresses))) return ExitCode.ERROR;
  return editStored(terminal, options, "state rm", (state) =>
    remove(state, addresses, options.dryRun === true),
  );
}

/** Removes all of the objects, or none if one address has no object. */
function remove(state: State, addresses: readonly string[], dryRun: boolean): Edited {
  const { rest, removed } = without(state, addresses);
  const missing = addresses.filter((address) => !removed.has(address));
  if (missing.length > 0) return { diagnostics: missing.map(noSuchObject) };
  const objects = [...removed.values()].flat();
  if (dryRun) return { lines: objects.map((address) => `Would remove ${address}`) };
  return {
    state: rest,
    lines: [
      ...objects.map((address) => `Removed ${address}`),
      `Successfully removed ${objects.length} resource instance(s).`,
    ],
  };
}

/** An address names an instance, or a resource with all its instances. Deposed objects are included. */
function without(
  state: State,
  addresses: readonly string[],
): { rest: State; removed: ReadonlyMap<string, readonly string[]> } {
  const removed = new Map<string, string[]>();
  const resources = state.resources.flatMap((resource) => {
    const instances = resource.instances.filter(({ indexKey, deposed }) => {
      const instance = formatAddress({ ...resource, key: indexKey });
      const own = [instance, formatResourceAddress(resource)];
      const wanted = addresses.filter((address) => own.includes(address));
      const shown = deposed === undefined ? instance : `${instance} (deposed ${deposed})`;
      for (const address of wanted) removed.set(address, [...(removed.get(address) ?? []), shown]);
      return wanted.length === 0;
    });
    return instances.length > 0 || resource.instances.length === 0
      ? [{ ...resource, instances }]
      : [];
  });
  return { rest: { ...state, resources }, removed };
}

function noSuchObject(address: string): Diagnostic {
  return error(
    "No such object",
    `The state has no object at ${address}, so it was not changed. "state list" shows the addresses that it has.`,
  );
}
