import { Worker } from "node:worker_threads";

/** Seconds. */
const PATIENCE = 60;

/** Ends the process if a run blocks it, which no timer of the process itself can notice. */
export class Watchdog {
  readonly #worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
    let timer;
    parentPort.on("message", (run) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        require("node:fs").writeSync(2, "\\nThe run " + run + " does not end.\\n");
        process.kill(process.pid, "SIGKILL");
      }, ${PATIENCE * 1000});
    });`,
    { eval: true },
  );

  watch(run: string): void {
    this.#worker.postMessage(run);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
