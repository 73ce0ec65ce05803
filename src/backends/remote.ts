import { printed } from "../core/printed";
import { join } from "node:path";
import { error, hasErrors, type Diagnostic } from "../core/diagnostics";
import { errorText } from "../core/io/file-problem";
import { world } from "../core/io/world";
import { readState } from "../formats/state-file/read";
import { emptyState, isUnused, versionToWrite, type State } from "../core/documents/state";
import { formatState, sameContent } from "../formats/state-file/write";
import type {
  Backend,
  BackendStatus,
  Journal,
  Lock,
  LockHolder,
  LockRequest,
  StateSnapshot,
} from "./backend";
import { stateDigest, rescue } from "./recovery";
import { RemoteJournal } from "./remote-journal";
import {
  describeRun,
  formatRun,
  isOwnEarlier,
  notReleased,
  parseHoldingRun,
  plainAdvice,
  releaseAdvice,
  type Advice,
  type RunInfo,
} from "./run-info";
import { keepFile, movedEnding } from "./moved-state";
import { NotHeldError, StoreError, type StateStore, type TextStore } from "./state-store";

const POLL_MS = 1_000;

/** The state as it was read or last written. */
interface Stored {
  /** See `digestOf`. */
  readonly digest: string;
  readonly state: State | undefined;
  readonly lineage: string;
}

/**
 * A state on a server. There is no file beside it: during an apply the journal writes the state
 * itself, so that a run on another machine continues from it.
 */
export class RemoteBackend implements Backend {
  readonly location: string;
  private stored: Stored | undefined;
  private locked = false;
  private openJournal: RemoteJournal | undefined;
  private writing: Promise<unknown> = Promise.resolve();

  /** @param workingDirectory The folder for `errored.tfstate` if the state cannot be written. */
  constructor(
    private readonly store: StateStore,
    private readonly workingDirectory = world.processes.folder(),
    private readonly advice: Advice = plainAdvice,
  ) {
    this.location = store.location;
  }

  async lock(request: LockRequest): Promise<{ lock?: Lock; diagnostics: readonly Diagnostic[] }> {
    const info = describeRun("", request);
    const deadline = world.clock.steady() + (request.waitMs ?? 0);
    const { cautions: diagnostics } = this.store;
    try {
      for (;;) {
        const answer = await this.store.lock(info);
        if (!answer?.by) {
          this.locked = answer !== undefined;
          return { lock: this.hold(answer?.id ?? info.ID), diagnostics };
        }
        if (isOwnEarlier(answer.by, request)) {
          await this.store.unlock(answer.by.ID);
          continue;
        }
        const left = deadline - world.clock.steady();
        if (left <= 0) return { diagnostics: [this.lockedBy(answer.by, answer.release)] };
        await world.clock.sleep(Math.min(POLL_MS, left));
      }
    } catch (cause) {
      return { diagnostics: [this.failed("State cannot be locked", cause)] };
    }
  }

  /** A server does not report who holds a lock, nor when it was written. */
  status(): Promise<BackendStatus> {
    return Promise.resolve({});
  }

  /** Takes the lock for a moment: only the refusal of a server names its holder. */
  async holder(): Promise<LockHolder | undefined> {
    const info = describeRun("", { operation: "force-unlock" });
    const answer = await this.store.lock(info).catch(() => undefined);
    if (!answer) return undefined;
    if (!answer.by) {
      await this.store.unlock(answer.id ?? info.ID).catch(() => undefined);
      return undefined;
    }
    const { ID, Operation, Who, Created, Info } = answer.by;
    const run = parseHoldingRun(Info);
    return { id: ID, operation: Operation, who: Who, created: Created, ...(run && { run }) };
  }

  async forceUnlock(id: string): Promise<readonly Diagnostic[]> {
    try {
      await this.store.unlock(id);
      return [];
    } catch (cause) {
      return [this.failed("State cannot be unlocked", cause)];
    }
  }

  async read(): Promise<StateSnapshot> {
    this.stored = undefined;
    try {
      const bytes = await this.store.get();
      const found = bytes ? readState(bytes, this.location) : { diagnostics: [] };
      const { diagnostics } = found;
      // A state that was only created, such as a row of a database, is none.
      const state = found.state && isUnused(found.state) ? undefined : found.state;
      if (!hasErrors(diagnostics)) {
        const lineage = found.state?.lineage ?? "";
        const digest = stateDigest(bytes);
        this.stored = { digest, state, lineage: lineage === "" ? world.random.uuid() : lineage };
      }
      return { state, interrupted: [], diagnostics };
    } catch (cause) {
      const diagnostics = [this.failed("State cannot be read", cause)];
      return { state: undefined, interrupted: [], diagnostics };
    }
  }

  journal(): Promise<{ journal?: Journal; diagnostics: readonly Diagnostic[] }> {
    const { state, lineage } = this.present();
    this.openJournal ??= new RemoteJournal(this.location, state ?? emptyState(lineage), (next) =>
      this.put(next),
    );
    return Promise.resolve({ journal: this.openJournal, diagnostics: [] });
  }

  async write(state: State): Promise<{ state?: State; diagnostics: readonly Diagnostic[] }> {
    await this.openJournal?.close();
    this.openJournal = undefined;
    try {
      return { state: await this.put(state), diagnostics: [] };
    } catch (cause) {
      const { location, workingDirectory, advice } = this;
      const bytes = Buffer.from(formatState(this.next(state)));
      const reason = errorText(cause);
      const pushed = { location, workingDirectory, bytes, reason, journal: undefined, advice };
      return { diagnostics: [await rescue(pushed)] };
    }
  }

  async copy(state: State): Promise<readonly Diagnostic[]> {
    const present = this.present();
    const bytes = Buffer.from(formatState(state));
    try {
      if (!this.locked) await this.refuseConflict(present);
      await this.store.put(bytes);
      this.stored = { ...present, digest: stateDigest(bytes), state };
      return [];
    } catch (cause) {
      return [this.failed("State could not be written", cause)];
    }
  }

  async retire(name: string): Promise<{ kept?: string; diagnostics: readonly Diagnostic[] }> {
    const present = this.present();
    if (!present.state) return { diagnostics: [] };
    const ending = movedEnding(present.state);
    const bytes = Buffer.from(formatState(present.state));
    try {
      if (!this.locked) await this.refuseConflict(present);
      const { store, workingDirectory } = this;
      const kept =
        (await store.keep?.(ending, bytes)) ??
        (await keepFile(join(workingDirectory, name + ending), bytes));
      await store.delete();
      return { kept, diagnostics: [] };
    } catch (cause) {
      return { diagnostics: [this.failed("State could not be moved away", cause)] };
    }
  }

  beside(name: string): TextStore {
    return this.store.beside(name);
  }

  /** Stores a state, after earlier ones. Returns it with its serial. */
  private put(state: State): Promise<State> {
    const turn = this.writing.then(async () => {
      const present = this.present();
      const next = this.next(state);
      if (present.state && sameContent(next, present.state)) return present.state;
      if (!present.state && sameContent(next, emptyState())) return next;
      const bytes = Buffer.from(formatState(next));
      if (!this.locked) await this.refuseConflict(present);
      await this.store.put(bytes);
      this.stored = { ...present, digest: stateDigest(bytes), state: next };
      return next;
    });
    this.writing = turn.catch(() => undefined);
    return turn;
  }

  private next(state: State): State {
    const { state: before, lineage } = this.present();
    return {
      ...state,
      // A state that is pushed to an empty place keeps its own.
      lineage: before || state.lineage === "" ? lineage : state.lineage,
      serial: (before?.serial ?? 0) + 1,
      terraformVersion: versionToWrite(before?.terraformVersion ?? ""),
    };
  }

  /** Without a lock, another run may have written the state. */
  private async refuseConflict({ digest, state }: Stored): Promise<void> {
    const found = await this.store.get();
    if (stateDigest(found) === digest) return;
    throw new StoreError(
      `another program changed it since it was read (then serial ${state?.serial ?? 0})`,
    );
  }

  private hold(id: string): Lock {
    return {
      id,
      release: async () => {
        if (!this.locked) return [];
        try {
          await this.store.unlock(id);
          return [];
        } catch (cause) {
          if (cause instanceof NotHeldError) return [this.lostLock(cause)];
          return [notReleased(id, `State ${this.location}: ${errorText(cause)}`, this.advice)];
        }
      },
    };
  }

  /** Another lock is not this run's to remove. */
  private lostLock(cause: NotHeldError): Diagnostic {
    return error(
      "Error releasing the state lock",
      `State ${this.location}: ${cause.message}. The lock of this run was removed while it ran, so another run may have changed the state or the console meanwhile: review the next plan.`,
    );
  }

  private lockedBy(
    holder: RunInfo,
    release = (advice: Advice) => releaseAdvice(holder, advice),
  ): Diagnostic {
    const detail = printed`Another run uses the state ${this.location}.\n\n${formatRun(holder)}\n\nWait until it ends. ${release(this.advice)}`;
    return error("State is locked", detail);
  }

  private failed(summary: string, cause: unknown): Diagnostic {
    return error(summary, `State ${this.location}: ${errorText(cause)}.`);
  }

  private present(): Stored {
    if (!this.stored) throw new Error("a state must be read before it is written");
    return this.stored;
  }
}
