import { spawn } from "node:child_process";
import { join } from "node:path";
import { selfSign } from "../src/plugin/process/certificate";
import { node, root } from "./command";
import { report, time, timeInPairs } from "./pairs";

const RUNS = 15;

/** How long Terraform waits for the provider to say where it serves, beside an empty Node program. */
export async function benchProvider(): Promise<void> {
  const env = {
    ...process.env,
    TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
    PLUGIN_PROTOCOL_VERSIONS: "6",
    PLUGIN_CLIENT_CERT: selfSign().certificate,
  };
  const empty = () => time(() => node(["-e", "0"]));
  report(
    "handshake of the provider / empty Node program",
    2.5,
    await timeInPairs(RUNS, () => untilHandshake(env), empty),
  );
}

function untilHandshake(env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [join(root, "dist/provider.js")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let elapsed: number | undefined;
    child.stdout.once("data", () => {
      elapsed = performance.now() - start;
      child.kill("SIGTERM");
    });
    child.once("error", reject);
    // The next one starts when this one is gone.
    child.once("close", () => {
      if (elapsed === undefined) reject(new Error("the provider printed nothing"));
      else resolve(elapsed);
    });
  });
}
