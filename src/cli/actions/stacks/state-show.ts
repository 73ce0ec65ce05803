import { error } from "../../../provider/diagnostics";
import { renderObject } from "../../../review/text/state-text";
import { ExitCode } from "../../exit-code";
import { builtInSchema } from "../../stacks/built-in-schema";
import { addressProblems, objectsOf } from "../../stacks/stored-objects";
import { readStoredStack, type StoredOptions } from "../../stacks/stored-stacks";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Prints one resource instance. */
export async function stateShow(
  terminal: Terminal,
  address: string,
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  if (screen.report(addressProblems([address]))) return ExitCode.ERROR;
  const state = await readStoredStack(screen, options);
  if (!state) return ExitCode.ERROR;
  const found = objectsOf(state).find((object) => object.address === address);
  if (!found) {
    return screen.fail(
      error(
        "No such object",
        `The state has no object at ${address}. "state list" shows the addresses that it has. ` +
          'Name one of several instances with its key, as in cwp_license.main["a"].',
      ),
    );
  }
  screen.print(renderObject(found.resource, found.instance, builtInSchema, screen.style));
  return ExitCode.DONE;
}
