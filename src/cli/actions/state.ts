import { error } from "../../provider/diagnostics";
import { renderObject } from "../../review/text/state-text";
import { formatAddress, formatResourceAddress, parseAddress } from "../../runtime/state/address";
import { compareAddresses } from "../../runtime/state/address";
import type { InstanceState, ResourceState, State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { builtInSchema } from "../stacks/built-in-schema";
import { openScreen } from "../terminal/screen";
import {
  openStoredStack,
  readStored,
  showStored,
  type StoredOptions,
} from "../stacks/stored-stacks";
import type { Terminal } from "../terminal/terminal";

interface StoredObject {
  readonly address: string;
  readonly resource: ResourceState;
  readonly instance: InstanceState;
}

/** Prints the addresses of the objects; of those resources or instances only that are named. */
export async function list(
  terminal: Terminal,
  addresses: readonly string[],
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const invalid = addresses.filter((address) => !parseAddress(address));
  if (invalid.length > 0) {
    screen.report(invalid.map(invalidAddress));
    return ExitCode.ERROR;
  }
  return showStored(screen, options, (state) => {
    for (const { address, resource } of objectsOf(state)) {
      const named = [address, formatResourceAddress(resource)];
      if (addresses.length > 0 && !addresses.some((wanted) => named.includes(wanted))) continue;
      screen.print(`${address}\n`);
    }
  });
}

/** Prints one object. */
export async function show(
  terminal: Terminal,
  address: string,
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  if (!parseAddress(address)) {
    screen.report([invalidAddress(address)]);
    return ExitCode.ERROR;
  }
  const stack = await openStoredStack(screen, options);
  const state = stack && (await readStored(screen, stack));
  if (!state) return ExitCode.ERROR;
  const found = objectsOf(state).find((object) => object.address === address);
  if (!found) {
    screen.report([
      error(
        "No such object",
        `The state has no object at ${address}. "state list" shows those that it has; one of ` +
          'several instances is named with its key, as in cwp_license.main["a"].',
      ),
    ]);
    return ExitCode.ERROR;
  }
  screen.print(renderObject(found.resource, found.instance, builtInSchema, screen.style));
  return ExitCode.DONE;
}

/** Without those that are deposed, as Terraform lists them. */
function objectsOf(state: State): StoredObject[] {
  return state.resources
    .flatMap((resource) =>
      resource.instances
        .filter(({ deposed }) => deposed === undefined)
        .map((instance) => ({ resource, instance, at: { ...resource, key: instance.indexKey } })),
    )
    .sort((a, b) => compareAddresses(a.at, b.at))
    .map(({ resource, instance, at }) => ({ address: formatAddress(at), resource, instance }));
}

export function invalidAddress(address: string) {
  return error(
    "Invalid address",
    `"${address}" is no address of a resource, such as cwp_license.main or null_resource.gate[0].`,
  );
}
