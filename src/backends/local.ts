import { dirname, resolve } from "node:path";
import { error, hasErrors, warning, withParagraph, type Diagnostic } from "../core/diagnostics";
import { fileFault } from "../core/io/file-fault";
import { errorText } from "../core/io/file-problem";
import { readState } from "../formats/state-file/read";
import { emptyState, versionToWrite, type State } from "../core/documents/state";
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
import {
  absent,
  removeDrafts,
  replaceFile,
  resolveLinks,
  syncDirectory,
} from "../core/io/durable-file";
import { world } from "../core/io/world";
import { FileJournal } from "./journal";
import { parseJournal, type JournalContent } from "./journal-format";
import { backupPath, journalPath, readJournal, readStateFile } from "./local-files";
import { removeLock, lockHolder, lockState } from "./lock";
import { keepFile, movedEnding } from "./moved-state";
import { plainAdvice, type Advice } from "./run-info";
import { stateDigest, recover, relate, rescue, type StateFile } from "./recovery";

/** The files as they were read, and the lineage to write. */
interface Base {
  readonly file: StateFile;
  readonly lineage: string;
  /** The journal of an unfinished run, if this run continues it. */
  readonly unfinished: JournalContent | undefined;
  /** True if there is a journal file. */
  readonly hasJournal: boolean;
}

/**
 * Terraform's `local` backend: a file, its `.backup`, and this program's `.journal` and `.lock`. A
 * state file that is a symbolic link stays one: journal and lock are then next to its target, the
 * backup is next to the link, as in Terraform.
 */
export class LocalBackend implements Backend {
  private base: Base | undefined;
  private openJournal: FileJournal | undefined;
  /** True if the caller records its changes; else the journal is from an earlier run. */
  private records = false;
  private backedUp = false;
  private resolved: string | undefined;

  /** @param workingDirectory The folder for `errored.tfstate` if the state cannot be written. */
  constructor(
    readonly location: string,
    private readonly workingDirectory = world.processes.folder(),
    private readonly advice: Advice = plainAdvice,
  ) {}

  async lock(request: LockRequest): Promise<{ lock?: Lock; diagnostics: readonly Diagnostic[] }> {
    const path = await this.target().catch((cause: unknown) => this.unresolved(cause));
    if (typeof path !== "string") return { diagnostics: [path] };
    const locked = await lockState(path, request, this.location, this.advice);
    if (locked.takenOver) {
      await Promise.all([path, journalPath(path), backupPath(this.location)].map(removeDrafts));
    }
    return locked;
  }

  async status(): Promise<BackendStatus> {
    const path = await this.target().catch(() => this.location);
    const lock = await lockHolder(path, this.location);
    const entry = await world.files.stat(path).catch(() => undefined);
    return { ...(entry && { writtenAt: entry.mtime }), ...(lock && { lock }) };
  }

  async holder(): Promise<LockHolder | undefined> {
    const path = await this.target().catch(() => this.location);
    return lockHolder(path, this.location);
  }

  /** Reports whether a journal is next to the state file. Reads neither. */
  async hasJournal(): Promise<boolean> {
    const path = await this.target().catch(() => this.location);
    const journal = await world.files.stat(journalPath(path)).catch(() => undefined);
    return journal !== undefined && journal.size > 0;
  }

  async forceUnlock(id: string): Promise<readonly Diagnostic[]> {
    const path = await this.target().catch((cause: unknown) => this.unresolved(cause));
    return typeof path === "string" ? removeLock(path, id) : [path];
  }

  async read(): Promise<StateSnapshot> {
    const failed = (diagnostics: readonly Diagnostic[]): StateSnapshot => ({
      state: undefined,
      interrupted: [],
      diagnostics,
    });
    this.base = undefined;
    try {
      const path = await this.target();
      const bytes = await readStateFile(path, this.location);
      const { state, diagnostics } = bytes ? readState(bytes, this.location) : { diagnostics: [] };
      if (hasErrors(diagnostics)) return failed(diagnostics.map((one) => this.withBackup(one)));
      if (state && state.serial >= Number.MAX_SAFE_INTEGER) return failed([this.lastSerial(state)]);

      const file: StateFile = { path, digest: stateDigest(bytes), state };
      const found = await readJournal(path);
      if (found && "summary" in found) return failed([found]);
      const journal = parseJournal(found ?? Buffer.alloc(0), journalPath(path));
      if (!journal.content) return failed(journal.diagnostics);

      const snapshot = recover(journal.content, journalPath(path), file);
      if (hasErrors(snapshot.diagnostics)) return snapshot;
      const unfinished =
        relate(journal.content, file) === "continues" ? journal.content : undefined;
      this.base = {
        file,
        lineage: lineageOf(state, unfinished),
        unfinished,
        hasJournal: found !== undefined,
      };
      return { ...snapshot, diagnostics: [...diagnostics, ...snapshot.diagnostics] };
    } catch (cause) {
      return failed([
        error(
          "State cannot be read",
          `State file ${this.location}: ${fileFault(cause, this.location)}`,
        ),
      ]);
    }
  }

  async journal(): Promise<{ journal?: Journal; diagnostics: readonly Diagnostic[] }> {
    try {
      const journal = await this.fileJournal(this.present());
      this.records = true;
      return { journal, diagnostics: [] };
    } catch (cause) {
      const detail = `Journal beside the state file ${this.location}: ${errorText(cause)}.`;
      return { diagnostics: [error("Journal cannot be written", detail)] };
    }
  }

  async write(state: State): Promise<{ state?: State; diagnostics: readonly Diagnostic[] }> {
    const base = this.present();
    const before = base.file.state;
    const content: State = {
      ...state,
      // A state that is pushed to an empty place keeps its own.
      lineage: before || state.lineage === "" ? base.lineage : state.lineage,
      serial: before?.serial ?? 0,
      terraformVersion: versionToWrite(before?.terraformVersion ?? ""),
    };
    if (sameContent(content, before ?? emptyState())) {
      return { state: before ?? content, diagnostics: await this.endJournal(base) };
    }

    const stored: State = { ...content, serial: content.serial + 1 };
    const bytes = Buffer.from(formatState(stored));
    const digest = stateDigest(bytes);
    try {
      const present = await readStateFile(base.file.path, this.location);
      const conflict = this.conflict(base, present);
      if (conflict) return { diagnostics: [await this.rescue(base, bytes, conflict)] };
      await this.announce(base, digest);
      if (present && !this.backedUp) {
        await replaceFile(backupPath(this.location), present);
        this.backedUp = true;
      }
      await replaceFile(base.file.path, bytes);
    } catch (cause) {
      return { diagnostics: [await this.rescue(base, bytes, errorText(cause))] };
    }
    const diagnostics = await this.endJournal(base);
    const file = { ...base.file, digest, state: stored };
    this.base = { file, lineage: base.lineage, unfinished: undefined, hasJournal: false };
    return { state: stored, diagnostics };
  }

  async copy(state: State): Promise<readonly Diagnostic[]> {
    const base = this.present();
    const { path } = base.file;
    try {
      const conflict = this.conflict(base, await readStateFile(path, this.location));
      if (conflict) return [this.unmoved("State could not be written", conflict)];
      await replaceFile(path, Buffer.from(formatState(state)));
      return [];
    } catch (cause) {
      return [this.unmoved("State could not be written", errorText(cause))];
    }
  }

  async retire(): Promise<{ kept?: string; diagnostics: readonly Diagnostic[] }> {
    const base = this.present();
    const { path, state } = base.file;
    if (!state) return { diagnostics: [] };
    try {
      const bytes = await readStateFile(path, this.location);
      const conflict = this.conflict(base, bytes);
      if (conflict !== undefined || !bytes) {
        return { diagnostics: [this.unmoved("State could not be moved away", conflict ?? "")] };
      }
      const kept = await keepFile(path + movedEnding(state), bytes);
      await world.files.unlink(path).catch(absent);
      await syncDirectory(dirname(path));
      return { kept, diagnostics: [] };
    } catch (cause) {
      return { diagnostics: [this.unmoved("State could not be moved away", errorText(cause))] };
    }
  }

  /** Names the backup next to a state that cannot be used. */
  private withBackup(problem: Diagnostic): Diagnostic {
    const backup = backupPath(this.location);
    if (!world.files.existsSync(backup)) return problem;
    const advice = `${backup} has the state before the last write. Copy it to ${this.location} and plan: the plan shows what it lacks.`;
    return withParagraph(problem, advice);
  }

  private unmoved(summary: string, reason: string): Diagnostic {
    return error(summary, `State file ${this.location}: ${reason}.`);
  }

  private lastSerial({ serial }: State): Diagnostic {
    return error(
      "State serial cannot be increased",
      `State file ${this.location}: its serial is ${serial}, the largest possible one, so no change could be stored. Restore a backup, or push the state with a lower serial.`,
    );
  }

  private unresolved(cause: unknown): Diagnostic {
    return error(
      "State cannot be locked",
      `State file ${this.location}: ${fileFault(cause, this.location)}`,
    );
  }

  /** Rejects if the links to the state file cannot be resolved. */
  private target(): Promise<string> {
    return new Promise((done) => {
      done((this.resolved ??= resolveLinks(resolve(this.location))));
    });
  }

  private present(): Base {
    if (!this.base) throw new Error("a state must be read before it is written");
    return this.base;
  }

  private async fileJournal({ file, lineage, unfinished }: Base): Promise<FileJournal> {
    const path = journalPath(file.path);
    this.openJournal ??= unfinished
      ? await FileJournal.resume(path, unfinished.intactBytes)
      : await FileJournal.create(path, {
          kind: "header",
          format: 1,
          lineage,
          serial: file.state?.serial ?? 0,
        });
    return this.openJournal;
  }

  /** Describes the change of another program to the state since it was read. */
  private conflict({ file }: Base, bytes: Uint8Array | undefined): string | undefined {
    if (stateDigest(bytes) === file.digest) return undefined;
    const { state } = bytes ? readState(bytes, this.location) : {};
    const describe = (found: State | undefined) =>
      found ? `serial ${found.serial} of lineage ${found.lineage || "(none)"}` : "no state";
    return (
      `another program changed it since it was read: then ${describe(file.state)}, ` +
      `now ${describe(state)}`
    );
  }

  /** Records the digest of the state file to write, so that recovery recognizes it. */
  private async announce(base: Base, digest: string): Promise<void> {
    if (!this.openJournal && !base.unfinished) return;
    await (await this.fileJournal(base)).fold(digest);
  }

  /** Removes the journal: all of it is in the state. */
  private async endJournal({ file, hasJournal }: Base): Promise<readonly Diagnostic[]> {
    if (!this.openJournal && !hasJournal) return [];
    const path = journalPath(file.path);
    const isAnnounced = !this.openJournal?.isBroken;
    try {
      await this.openJournal?.close();
      this.openJournal = undefined;
      // If the machine stops before this is on the disk, recovery finds that the journal is folded,
      // unless the journal could not have the state's digest.
      await world.files.unlink(path).catch(absent);
      if (!isAnnounced) await syncDirectory(dirname(path));
      return [];
    } catch (cause) {
      return [warning("Journal was not removed", `Delete ${path} by hand: ${errorText(cause)}.`)];
    }
  }

  private rescue(base: Base, bytes: Buffer, reason: string): Promise<Diagnostic> {
    const journal =
      this.openJournal || base.unfinished
        ? {
            path: journalPath(base.file.path),
            complete: this.records && !this.openJournal?.isBroken,
          }
        : undefined;
    return rescue({
      location: this.location,
      workingDirectory: this.workingDirectory,
      bytes,
      reason,
      journal,
      advice: this.advice,
    });
  }
}

function lineageOf(state: State | undefined, unfinished: JournalContent | undefined): string {
  const present = unfinished?.header?.lineage ?? state?.lineage ?? "";
  return present === "" ? world.random.uuid() : present;
}
