import { spawn } from "node:child_process";
import { join } from "node:path";

/** Runs a script of this folder, and returns its exit code and its output. */
export async function script(name: string, ...argv: readonly string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", join(__dirname, name), ...argv], {
    cwd: join(__dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (bytes: Buffer) => (out += bytes.toString("utf8")));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, out };
}
