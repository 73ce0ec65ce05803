import fc from "fast-check";
import type { Running } from "../e2e/support/bundle";
import { Cable, type Networks } from "./networks";

/** A loss in a run, when some number of its consoles were written. */
export interface Loss {
  readonly after: number;
  /** A worker is killed, its connection to Temporal is cut, or Temporal's server starts again. */
  readonly kind: "kill" | "cut" | "restart";
  /** The position of the worker. */
  readonly worker: number;
}

/** Draws losses at moments of a run. */
export function drawLosses(
  seed: number,
  run: { readonly count: number; readonly consoles: number; readonly workers: number },
): readonly Loss[] {
  const losses = fc.record({
    after: fc.integer({ min: 1, max: Math.floor(run.consoles * 0.9) }),
    kind: fc.constantFrom("kill" as const, "kill" as const, "cut" as const, "restart" as const),
    worker: fc.nat(run.workers - 1),
  });
  return fc.sample(losses, { seed, numRuns: run.count });
}

/** Workers of queues, each with a separate cable to Temporal. A worker that is lost is replaced. */
export class LosingWorkers {
  private readonly left: Loss[];
  private readonly cables: Cable[] = [];
  private workers: { readonly running: Running; readonly cable: Cable }[] = [];
  /** Losses follow each other. */
  private done = Promise.resolve();

  constructor(
    private readonly networks: Networks,
    private readonly queues: readonly string[],
    losses: readonly Loss[],
  ) {
    this.left = [...losses].sort((a, b) => a.after - b.after);
  }

  async start(): Promise<void> {
    this.workers = await Promise.all(this.queues.map((queue) => this.worker(queue)));
  }

  /** Causes the losses up to here. @param consoles - the number that were written */
  reached(consoles: number): void {
    for (let [loss] = this.left; loss && loss.after <= consoles; [loss] = this.left) {
      this.left.shift();
      const due = loss;
      this.done = this.done.then(() => this.lose(due));
    }
  }

  /** Resolves when all losses have happened. */
  async settled(): Promise<void> {
    await this.done;
    if (this.left.length > 0) throw new Error(`${this.left.length} losses did not happen`);
  }

  close(): void {
    for (const cable of this.cables) cable.close();
  }

  private async lose({ kind, worker: at }: Loss): Promise<void> {
    const { temporal } = this.networks;
    const [queue, lost] = [this.queues[at], this.workers[at]];
    if (queue === undefined || !lost) throw new Error(`there is no worker ${at}`);
    if (kind === "restart") {
      await temporal.stop();
      await temporal.start();
      return;
    }
    if (kind === "cut") lost.cable.cut();
    else lost.running.child.kill("SIGKILL");
    this.workers[at] = await this.worker(queue);
  }

  private async worker(queue: string) {
    const cable = await Cable.open(this.networks.temporal.port);
    this.cables.push(cable);
    const options = ["--parallelism", "4", "--allow", "plan,apply,rollback"];
    const running = await this.networks.worker(queue, cable.address, ...options);
    return { running, cable };
  }
}
