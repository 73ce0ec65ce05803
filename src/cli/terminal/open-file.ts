import { spawn } from "node:child_process";
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
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], {
      cwd: directory,
      env: environment,
      stdio: "ignore",
      detached: true,
    });
    child.once("error", () => {
      resolve(false);
    });
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
