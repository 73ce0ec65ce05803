import { childEnvironment } from "../../core/io/child-environment";
import { captureOutput } from "../terminal/captured-output";
import type { Terminal } from "../terminal/terminal";

/** Runs `npm install` in `directory`. Returns what npm printed if it fails. */
export async function installPackages(
  terminal: Terminal,
  directory: string,
): Promise<string | undefined> {
  const args = ["install", "--no-fund", "--no-audit", "--loglevel", "error"];
  const { how, printed } = await captureOutput(
    {
      program: "npm",
      args,
      directory,
      environment: childEnvironment(terminal.environment),
    },
    terminal,
  );
  if (how === undefined) return undefined;
  return printed.trim() === "" ? `npm ${how}.` : printed.trim();
}
