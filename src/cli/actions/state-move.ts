import { parseAddress } from "../../runtime/state/address";
import { moveInState } from "../../runtime/state/move";
import { editStored } from "../stacks/edit-state";
import { ExitCode } from "../exit-code";
import { openScreen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { invalidAddress } from "./state";
import type { StateEditOptions } from "./state-remove";

/** Gives an object, or a resource with all its objects, another address. */
export async function stateMove(
  terminal: Terminal,
  source: string,
  destination: string,
  options: StateEditOptions,
): Promise<ExitCode> {
  const from = parseAddress(source);
  const to = parseAddress(destination);
  const invalid = [source, destination].filter((address) => !parseAddress(address));
  if (openScreen(terminal, options).report(invalid.map(invalidAddress)) || !from || !to) {
    return ExitCode.ERROR;
  }
  return editStored(terminal, options, "state mv", (present) => {
    const { state, diagnostics } = moveInState(present, from, to);
    if (!state) return { diagnostics };
    const what = `"${source}" to "${destination}"`;
    if (options.dryRun) return { lines: [`Would move ${what}`] };
    return { state, lines: [`Move ${what}`, "Successfully moved 1 object(s)."] };
  });
}
