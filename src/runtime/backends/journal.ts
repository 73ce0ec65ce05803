import { writeSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { errorText } from "../../provider/file-problem";
import type { Journal, JournalRecord } from "./backend";
import { replaceFile } from "./durable-file";
import { formatEntry, type JournalEntry, type JournalHeader } from "./journal-format";

/** A record could not be made durable. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  constructor(path: string, cause: unknown) {
    super(`The journal ${path} could not be written: ${errorText(cause)}`, { cause });
  }
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (reason: JournalError) => void;
}

/**
 * The append-only file next to a state file, with group commit: records that are appended during an
 * fsync share the next one.
 */
export class FileJournal implements Journal {
  private waiting: Waiting[] = [];
  private committing: Promise<void> | undefined;
  private broken: JournalError | undefined;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** Creates a journal, in place of an existing one. */
  static async create(path: string, header: JournalHeader): Promise<FileJournal> {
    await replaceFile(path, Buffer.from(formatEntry(header)));
    return new FileJournal(path, await open(path, "a"));
  }

  /** Continues a journal after its intact bytes; a torn line is cut off. */
  static async resume(path: string, intactBytes: number): Promise<FileJournal> {
    const file = await open(path, "a");
    await file.truncate(intactBytes);
    return new FileJournal(path, file);
  }

  /** True after an append failed: later records are missing. */
  get isBroken(): boolean {
    return this.broken !== undefined;
  }

  note(record: JournalRecord): void {
    this.write(record);
  }

  append(record: JournalRecord): Promise<void> {
    return this.appendEntry(record);
  }

  async appendEntry(entry: JournalEntry): Promise<void> {
    this.write(entry);
    const durable = new Promise<void>((resolve, reject) => {
      this.waiting.push({ resolve, reject });
    });
    this.committing ??= this.commit();
    await durable;
  }

  async close(): Promise<void> {
    await this.committing;
    await this.file.close();
  }

  /** Writes to the page cache synchronously, which is faster than a write in another thread. */
  private write(entry: JournalEntry): void {
    if (this.broken) throw this.broken;
    const bytes = Buffer.from(formatEntry(entry));
    try {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.file.fd, bytes, written);
      }
    } catch (cause) {
      // The file may end in half a line, which no other may follow.
      this.broken = new JournalError(this.path, cause);
      throw this.broken;
    }
  }

  private async commit(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await this.file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (cause) {
        const failure = new JournalError(this.path, cause);
        this.broken = failure;
        for (const { reject } of [...batch, ...this.waiting]) reject(failure);
        this.waiting = [];
      }
    }
    this.committing = undefined;
  }
}
