import { parseAddress } from "../../../runtime/state/address";
import { moveInState } from "../../../runtime/state/move";
import { editStored } from "../../stacks/edit-stored";
import { ExitCode } from "../../exit-code";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { addressProblems } from "../../stacks/stored-objects";
import type { StateEditOptions } from "./state-rm";

/** Moves an object, or a resource with all its objects, to another address. */
export async function stateMove(
  terminal: Terminal,
  source: string,
  destination: string,
  options: StateEditOptions,
): Promise<ExitCode> {
  const from = parseAddress(source);
  const to = parseAddress(destination);
  const problems = addressProblems([source, destination]);
  if (openScreen(terminal, options).report(problems) || !from || !to) return ExitCode.ERROR;
  return editStored(terminal, options, "state mv", (present) => {
    const { state, diagnostics } = moveInState(present, from, to);
    if (!state) return { diagnostics };
    const what = `"${source}" to "${destination}"`;
    if (options.dryRun) return { lines: [`Would move ${what}`] };
    return { state, lines: [`Move ${what}`, "Successfully moved 1 object(s)."] };
  });
}
