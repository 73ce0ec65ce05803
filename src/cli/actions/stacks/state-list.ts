import { formatResourceAddress } from "../../../runtime/state/address";
import { ExitCode } from "../../exit-code";
import { addressProblems, objectsOf } from "../../stacks/stored-objects";
import { showStored, type StoredOptions } from "../../stacks/stored-stacks";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Prints the addresses of resource instances: of the named resources or instances, or all. */
export async function stateList(
  terminal: Terminal,
  addresses: readonly string[],
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  if (screen.report(addressProblems(addresses))) return ExitCode.ERROR;
  return showStored(screen, options, (state) => {
    for (const { address, resource } of objectsOf(state)) {
      const names = [address, formatResourceAddress(resource)];
      if (addresses.length > 0 && !addresses.some((wanted) => names.includes(wanted))) continue;
      screen.print(`${address}\n`);
    }
  });
}
