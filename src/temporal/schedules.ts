import { startOf } from "./client";
import type { Server } from "./connection";
import type { RolloutInput } from "./input";
import type { Sdk } from "./load-sdk";
import { runIdOf, WORKFLOW, workflowId } from "./names";

/** A schedule in the list of a namespace. */
export interface ListedSchedule {
  readonly id: string;
  readonly next: Date | undefined;
  readonly isPaused: boolean;
}

/** Adds, lists and deletes schedules of runs, which Temporal starts. */
export class Schedules {
  private readonly client;

  constructor(
    { client: { Client } }: Sdk,
    private readonly server: Server,
  ) {
    const { connection, namespace } = server;
    this.client = new Client({ connection, namespace });
  }

  /**
   * Starts a run at the times of a cron expression, unless the one before has not ended. Rejects if
   * there is a schedule of this ID.
   */
  async add(input: Omit<RolloutInput, "attributes">, cron: string): Promise<void> {
    const id = workflowId(input.runId);
    await this.client.schedule.create({
      scheduleId: id,
      spec: { cronExpressions: [cron] },
      policies: { overlap: "SKIP" },
      action: {
        type: "startWorkflow",
        workflowType: WORKFLOW,
        // Temporal adds the time.
        workflowId: id,
        ...(await startOf(this.server, input)),
      },
    });
  }

  async *list(): AsyncGenerator<ListedSchedule> {
    for await (const found of this.client.schedule.list()) {
      if (found.action?.workflowType !== WORKFLOW) continue;
      const [next] = found.info.nextActionTimes;
      yield { id: runIdOf(found.scheduleId), next, isPaused: found.state.paused };
    }
  }

  async delete(id: string): Promise<void> {
    await this.client.schedule.getHandle(workflowId(id)).delete();
  }
}
