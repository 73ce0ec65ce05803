import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { lockState } from "../../../src/backends/lock";

/**
 * `lock-and-die STATE`: waits for the file STATE.go, takes the lock, proves by an exclusive file
 * that nobody else has it, and is killed while it holds it. Prints `held` or what went wrong.
 */
async function main(statePath: string): Promise<void> {
  writeSync(1, "ready\n");
  while (!existsSync(`${statePath}.go`)) await new Promise((resolve) => setImmediate(resolve));
  const { lock, diagnostics } = await lockState(statePath, { operation: "test", waitMs: 20_000 });
  if (!lock) {
    writeSync(1, JSON.stringify(diagnostics));
    return;
  }
  closeSync(openSync(`${statePath}.inside`, "wx"));
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  rmSync(`${statePath}.inside`);
  writeSync(1, "held\n");
  process.kill(process.pid, "SIGKILL");
}

void main(process.argv[2] ?? "");
