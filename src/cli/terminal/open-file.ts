import { childEnvironment } from "../../core/io/child-environment";
import { startDetached } from "../../core/io/program";
import type { Terminal } from "./terminal";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * Opens a file with the program in BROWSER, or else with the one that the system has for it. Resolves
 * to false if there is none. Does not wait until the program ends.
 */
export function openFile(
  { directory, environment }: Pick<Terminal, "directory" | "environment">,
  file: string,
): Promise<boolean> {
  const { BROWSER = "" } = environment;
  const [program, ...args] =
    BROWSER !== "" ? [BROWSER] : (OPENERS[process.platform] ?? ["xdg-open"]);
  return startDetached({
    program,
    args: [...args, file],
    directory,
    environment: childEnvironment(environment),
  });
}
