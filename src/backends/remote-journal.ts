import { errorText } from "../core/io/file-problem";
import { world, type Timer } from "../core/io/world";
import type { State } from "../core/documents/state";
import type { Journal, JournalRecord } from "./backend";
import { fold } from "./recovery";
import { StoreError } from "./state-store";
import { runMarks } from "./state/run-marks";

/** The longest time between a completed action and its place in the stored state. */
const DELAY_MS = 2_000;

/**
 * Records an apply in the remote state itself. A checkpoint, which a provider makes before it writes
 * to a console, and the first mark of a run are stored at once; other records follow within two
 * seconds.
 */
export class RemoteJournal implements Journal {
  private broken: StoreError | undefined;
  private timer: Timer | undefined;
  private storing: Promise<void> = Promise.resolve();

  constructor(
    readonly path: string,
    private state: State,
    private readonly put: (state: State) => Promise<unknown>,
  ) {}

  /** An intent has no place in a state. */
  note(record: JournalRecord): void {
    if (this.broken) throw this.broken;
    this.state = fold(this.state, [record]).state;
  }

  async append(record: JournalRecord): Promise<void> {
    const isUrgent =
      record.kind === "mark"
        ? runMarks(this.state).every(({ run }) => run !== record.run)
        : record.kind === "instance" && record.checkpoint === true;
    this.note(record);
    if (isUrgent) {
      await this.store();
      if (this.broken) throw this.broken;
      return;
    }
    // An apply that waits for nothing else must not end before this.
    this.timer ??= world.clock.after(DELAY_MS, () => void this.store());
  }

  async close(): Promise<void> {
    this.timer?.cancel();
    await this.storing;
  }

  private store(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    this.storing = this.storing.then(async () => {
      if (this.broken) return;
      try {
        await this.put(this.state);
      } catch (cause) {
        this.broken = new StoreError(
          `The state ${this.path} could not be written: ${errorText(cause)}`,
          { cause },
        );
      }
    });
    return this.storing;
  }
}
