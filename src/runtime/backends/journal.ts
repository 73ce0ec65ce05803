import { open, type FileHandle } from "node:fs/promises";
import type { Journal, JournalRecord } from "./backend";
import { errorText, replaceFile } from "./durable-file";
import { formatEntry, type JournalEntry, type JournalHeader } from "./journal-format";

/** A record could not be made durable: whatever it tells may be forgotten. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  constructor(path: string, cause: unknown) {
    super(`The journal ${path} could not be written: ${errorText(cause)}`, { cause });
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (reason: JournalError) => void;
}

/**
 * The append-only file beside a state file, with group commit: while one fsync is under way, what
 * is appended waits, and goes to the disk together with the next one.
 */
export class FileJournal implements Journal {
  private waiting: Waiting[] = [];
  private committing: Promise<void> | undefined;
  private broken: JournalError | undefined;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Begins a journal, in the place of one that is there. */
  static async create(path: string, header: JournalHeader): Promise<FileJournal> {
    await replaceFile(path, Buffer.from(formatEntry(header)));
    return new FileJournal(path, await open(path, "a"));
  }

  /** Goes on with a journal behind its good bytes: a torn line must not stand before new ones. */
  static async resume(path: string, intactBytes: number): Promise<FileJournal> {
    const file = await open(path, "a");
    await file.truncate(intactBytes);
    return new FileJournal(path, file);
  }

  /** An append failed: the journal lacks what was appended from then on. */
  get isBroken(): boolean {
    return this.broken !== undefined;
  }

  append(record: JournalRecord): Promise<void> {
    return this.appendEntry(record);
  }

  async appendEntry(entry: JournalEntry): Promise<void> {
    if (this.broken) throw this.broken;
    const line = formatEntry(entry);
    const durable = new Promise<void>((resolve, reject) => {
      this.waiting.push({ line, resolve, reject });
    });
    this.committing ??= this.commit();
    await durable;
  }

  async close(): Promise<void> {
    await this.committing;
    await this.file.close();
  }

  private async commit(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.file.appendFile(batch.map(({ line }) => line).join(""));
        await this.file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (cause) {
        // The file may end in half a line now: nothing can follow it.
        const failure = new JournalError(this.path, cause);
        this.broken = failure;
        for (const { reject } of [...batch, ...this.waiting]) reject(failure);
        this.waiting = [];
      }
    }
    this.committing = undefined;
  }
}
