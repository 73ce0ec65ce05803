import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { formatAddress, formatResourceAddress, parseAddress } from "../../runtime/state/address";
import type { State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { openScreen } from "../screen";
import { openStoredStack, type StoredOptions, type StoredStack } from "../stored-stacks";
import type { Terminal } from "../terminal";
import { invalidAddress } from "./state";

/** Forgets objects: they go from the state, and stay on their console. */
export async function stateRemove(
  terminal: Terminal,
  addresses: readonly string[],
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const invalid = addresses.filter((address) => !parseAddress(address));
  if (screen.report(invalid.map(invalidAddress))) return ExitCode.ERROR;
  const stack = await openStoredStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  const { lock, diagnostics } = await stack.backend.lock({ operation: "state rm" });
  screen.report(diagnostics);
  if (!lock) return ExitCode.ERROR;
  try {
    const { removed, diagnostics: problems } = await removeFrom(stack, addresses);
    if (screen.report(problems)) return ExitCode.ERROR;
    for (const address of removed) screen.print(`Removed ${address}\n`);
    screen.print(`Successfully removed ${removed.length} resource instance(s).\n`);
    return ExitCode.DONE;
  } finally {
    screen.report(await lock.release());
  }
}

/** All or none: one address that leads nowhere leaves the state as it is. */
async function removeFrom(
  { backend }: StoredStack,
  addresses: readonly string[],
): Promise<{ removed: readonly string[]; diagnostics: readonly Diagnostic[] }> {
  const { state, diagnostics: found } = await backend.read();
  if (!state) {
    return { removed: [], diagnostics: hasErrors(found) ? found : addresses.map(noSuchObject) };
  }
  const { rest, removed } = without(state, addresses);
  const missing = addresses.filter((address) => !removed.has(address));
  if (missing.length > 0) return { removed: [], diagnostics: missing.map(noSuchObject) };
  const written = await backend.write(rest);
  return { removed: [...removed.values()].flat(), diagnostics: [...found, ...written.diagnostics] };
}

/** An address names an instance, or a resource with all that it has, deposed objects too. */
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
    `The state has no object at ${address}; it was left as it is. "state list" shows those that it has.`,
  );
}
