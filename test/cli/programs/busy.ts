import { writeSync } from "node:fs";
import { openScreen } from "../../../src/cli/terminal/screen";
import { interruptible } from "../../../src/cli/terminal/interruption";
import { processTerminal } from "../../../src/cli/terminal/process-terminal";

/** Works on the CPU without end, from the second interrupt on. */
const screen = openScreen(processTerminal(), {});
const alive = setInterval(() => undefined, 1000);
void interruptible(screen, ({ stop, abort }) => {
  stop.addEventListener("abort", () => {
    writeSync(1, "stopping\n");
  });
  return new Promise((resolve) => {
    abort.addEventListener("abort", () => {
      setImmediate(() => {
        writeSync(1, "busy\n");
        for (;;);
      });
    });
    if (stop.aborted) resolve(undefined);
  });
}).finally(() => {
  clearInterval(alive);
});
writeSync(1, "ready\n");
