import { error } from "../../../core/diagnostics";
import { printed } from "../../../core/printed";
import { readAssembly } from "../../../language";
import { startWorker } from "../../../temporal";
import { ExitCode } from "../../exit-code";
import { PACKAGE_ROOT } from "../../package-root";
import { basisOfRun } from "../../remote/basis";
import { BatchMachine, type WorkerApp, type WorkerOptions } from "../../remote/batch-machine";
import { withServer } from "../../remote/server";
import { locateStacks } from "../../stacks/app-stacks";
import { openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Plans and applies stacks for runs on Temporal, until it is interrupted. */
export async function worker(terminal: Terminal, options: WorkerOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { queue } = options;
  if (queue === undefined) {
    const detail = "Name the queue whose stacks this worker takes, as --queue eu.";
    return screen.fail(error("Queue is not named", detail));
  }
  const app = await readApp(screen, options);
  if (!app) return ExitCode.ERROR;
  const ending = new AbortController();
  const release = terminal.onInterrupt(() => {
    screen.note(printed`\nInterrupted. Other workers continue with the stacks of this one.\n`);
    ending.abort();
  });
  try {
    return await withServer(screen, async (sdk, server) => {
      const machine = new BatchMachine(screen, app, options);
      const request = { sdk, server, queue, packageRoot: PACKAGE_ROOT, machine };
      const { ended } = await startWorker({ ...request, ending: ending.signal });
      screen.print(printed`Worker of queue ${queue} is ready: ${options.allow.join(", ")}\n`);
      await ended;
      return ExitCode.DONE;
    });
  } finally {
    release();
  }
}

async function readApp(screen: Screen, options: WorkerOptions): Promise<WorkerApp | undefined> {
  const directory = await locateStacks(screen, options);
  if (directory === undefined) return undefined;
  const { assembly, diagnostics } = await readAssembly(directory);
  if (screen.report(diagnostics) || !assembly) return undefined;
  const { stacks } = assembly;
  if (stacks.length === 0) {
    screen.report([error("No stacks", "The app has no stacks, so a worker has nothing to do.")]);
    return undefined;
  }
  const found = await basisOfRun(stacks, screen.terminal.directory, options.contract);
  if ("problems" in found) {
    screen.report(found.problems);
    return undefined;
  }
  return { directory, stacks, basis: found.basis };
}
