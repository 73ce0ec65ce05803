import { spawn } from "node:child_process";
import type { Terminal } from "../terminal/terminal";

/** Runs `npm install` in `directory`. Returns what npm printed if it fails. */
export function installPackages(
  { environment }: Terminal,
  directory: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("npm", ["install", "--no-fund", "--no-audit", "--loglevel", "error"], {
      cwd: directory,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    const take = (text: string) => {
      printed += text;
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", (failure) => {
      resolve(failure.message);
    });
    child.once("close", (code) => {
      resolve(code === 0 ? undefined : printed.trim());
    });
  });
}
