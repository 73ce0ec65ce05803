import { printed } from "../../../core/printed";
import { error, hasErrors, type Diagnostic } from "../../../core/diagnostics";
import { renderObject } from "../../../formats/text/state-text";
import {
  compareAddresses,
  formatAddress,
  formatResourceAddress,
  parseAddress,
} from "../../../core/documents/address";
import { moveInState } from "../../../backends";
import { emptyState, type State } from "../../../core/documents/state";
import { didYouMean } from "../../../core/suggest";
import { ExitCode } from "../../exit-code";
import { closingAfter } from "../../stacks/closing";
import { invalidAddress } from "../../stacks/construct-paths";
import { builtInSchema } from "../../stacks/built-in-schema";
import {
  addressFinder,
  openStoredStack,
  readStoredStack,
  showStored,
  type AddressFinder,
  type StoredOptions,
} from "../../stored/stored-stacks";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Result of an edit: the new state and the lines to print. An error discards both. */
export interface Edited {
  /** Absent if the state does not change. */
  readonly state?: State;
  readonly lines?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Edits the state of one stack under its lock. The backend keeps a backup of the previous state.
 *
 * @param operation - shown to other runs that the lock keeps out
 */
export async function editStored(
  terminal: Terminal,
  options: StoredOptions,
  operation: string,
  edit: (state: State, find: AddressFinder) => Edited,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const stack = await openStoredStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  const { backend } = stack;
  const { lock, diagnostics } = await backend.lock({ operation });
  screen.report(diagnostics);
  if (!lock) return ExitCode.ERROR;
  const work = async (): Promise<ExitCode> => {
    const { state: present, diagnostics: found } = await backend.read();
    if (hasErrors(found)) {
      screen.report(found);
      return ExitCode.ERROR;
    }
    const {
      state,
      lines = [],
      diagnostics: problems = [],
    } = edit(present ?? emptyState(), addressFinder(stack));
    const isWritten = state !== undefined && !hasErrors(problems);
    const written = isWritten ? await backend.write(state) : undefined;
    const failed = screen.report([...found, ...problems, ...(written?.diagnostics ?? [])]);
    if (failed) return ExitCode.ERROR;
    for (const line of lines) screen.print(printed`${line}\n`);
    return ExitCode.DONE;
  };
  return closingAfter(screen, work, () => lock.release());
}

/** The resource instances of a state by address, without deposed objects, as Terraform lists them. */
function objectsOf(state: State) {
  return state.resources
    .flatMap((resource) =>
      resource.instances
        .filter(({ deposed }) => deposed === undefined)
        .map((instance) => ({ resource, instance, at: { ...resource, key: instance.indexKey } })),
    )
    .sort((a, b) => compareAddresses(a.at, b.at))
    .map(({ resource, instance, at }) => ({ address: formatAddress(at), resource, instance }));
}

/** Prints the addresses of resource instances: of the named resources or instances, or all. */
export async function stateList(
  terminal: Terminal,
  texts: readonly string[],
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  return showStored(screen, options, (state, find) => {
    const wanted = find(texts);
    if ("problems" in wanted) return screen.fail(...wanted.problems);
    const { addresses } = wanted;
    for (const { address, resource } of objectsOf(state)) {
      const names = [address, formatResourceAddress(resource)];
      if (addresses.length > 0 && !addresses.some((one) => names.includes(one))) continue;
      screen.print(printed`${address}\n`);
    }
    return ExitCode.DONE;
  });
}

/** Prints one resource instance. */
export async function stateShow(
  terminal: Terminal,
  text: string,
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const stored = await readStoredStack(screen, options);
  if (!stored) return ExitCode.ERROR;
  const wanted = stored.find([text]);
  if ("problems" in wanted) return screen.fail(...wanted.problems);
  const [address = text] = wanted.addresses;
  const objects = objectsOf(stored.state);
  const found = objects.find((object) => object.address === address);
  if (!found) {
    const near = didYouMean(
      address,
      objects.map((object) => object.address),
    );
    return screen.fail(
      error(
        "No such object",
        `The state has no object at ${address}.${near} "state list" shows the addresses that it has. ` +
          'Name one of several instances with its key, as in cwp_license.main["a"].',
      ),
    );
  }
  screen.print(renderObject(found.resource, found.instance, builtInSchema, screen.style));
  return ExitCode.DONE;
}

interface StateEditOptions extends StoredOptions {
  /** Print the result without changing the state. */
  readonly dryRun?: boolean;
}

/** Removes objects from the state. They stay on their console. */
export async function stateRemove(
  terminal: Terminal,
  texts: readonly string[],
  options: StateEditOptions,
): Promise<ExitCode> {
  return editStored(terminal, options, "state rm", (state, find) => {
    const wanted = find(texts);
    return "problems" in wanted
      ? { diagnostics: wanted.problems }
      : remove(state, wanted.addresses, options.dryRun === true);
  });
}

/**
 * Removes all of the objects, or none if one address has no object. An address names an instance, or
 * a resource with all its instances. Deposed objects are included.
 */
function remove(state: State, addresses: readonly string[], dryRun: boolean): Edited {
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
    const isKept = instances.length > 0 || resource.instances.length === 0;
    return isKept ? [{ ...resource, instances }] : [];
  });
  const missing = addresses.filter((address) => !removed.has(address));
  if (missing.length > 0) {
    const known = objectsOf(state).map(({ address }) => address);
    return { diagnostics: missing.map((address) => noSuchObject(address, known)) };
  }
  const objects = [...removed.values()].flat();
  if (dryRun) return { lines: objects.map((address) => `Would remove ${address}`) };
  return {
    state: { ...state, resources },
    lines: [
      ...objects.map((address) => `Removed ${address}`),
      `Successfully removed ${objects.length} resource instance(s).`,
    ],
  };
}

function noSuchObject(address: string, known: readonly string[]): Diagnostic {
  return error(
    "No such object",
    `The state has no object at ${address}, so it was not changed.${didYouMean(address, known)} "state list" shows the addresses that it has.`,
  );
}

/** Moves an object, or a resource with all its objects, to another address. */
export async function stateMove(
  terminal: Terminal,
  source: string,
  destination: string,
  options: StateEditOptions,
): Promise<ExitCode> {
  return editStored(terminal, options, "state mv", (present, find) => {
    const named = find([source, destination]);
    if ("problems" in named) return { diagnostics: named.problems };
    const [from, to] = named.addresses.map((address) => parseAddress(address));
    if (!from || !to)
      return { diagnostics: [source, destination].map((text) => invalidAddress(text)) };
    const { state, diagnostics } = moveInState(present, from, to);
    if (!state) return { diagnostics };
    const what = `"${formatAddress(from)}" to "${formatAddress(to)}"`;
    if (options.dryRun) return { lines: [`Would move ${what}`] };
    return { state, lines: [`Move ${what}`, "Successfully moved 1 object(s)."] };
  });
}
