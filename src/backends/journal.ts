import { dirname } from "node:path";
import { errorText } from "../core/io/file-problem";
import { makeFolder } from "../core/io/make-folder";
import { withFile } from "../core/io/open-files";
import type { Journal, JournalRecord } from "./backend";
import {
  errorCode,
  PRIVATE,
  readIfPresent,
  removeIfPresent,
  replaceFile,
  syncDirectory,
} from "../core/io/durable-file";
import { formatEntry, parseJournal, type JournalEntry, type JournalHeader } from "./journal-format";
import { SharedTask } from "../core/io/shared-task";
import { openToWrite, writeWhole } from "../core/io/write-file";
import { world } from "../core/io/world";

/** A record could not be made durable. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  constructor(path: string, cause: unknown) {
    super(`The journal ${path} could not be written: ${errorText(cause)}`, { cause });
  }
}

/** Journals that stay open while they are written: a run may have thousands of stacks. */
const MOST_OPEN_JOURNALS = 64;
let open = 0;

/** Creates a file to append to; undefined if there is one already. */
function openNew(path: string): number | undefined {
  try {
    return openToWrite(path, "create", PRIVATE);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return undefined;
    throw cause;
  }
}

interface OpenJournal {
  readonly fd: number;
  readonly inode: number;
}

/**
 * The append-only file next to a state file, with group commit: records that are appended during an
 * fsync share the next one.
 */
export class FileJournal implements Journal {
  private broken: JournalError | undefined;
  /** Undefined before the first record, and while it is opened for each record. */
  private file: OpenJournal | undefined;
  private readonly commit = new SharedTask(() => this.sync());

  private constructor(readonly path: string) {}

  /** Creates a journal, in place of an existing one. Its header is durable with the first record. */
  static async create(path: string, header: JournalHeader): Promise<FileJournal> {
    const journal = new FileJournal(path);
    const bytes = Buffer.from(formatEntry(header));
    makeFolder(dirname(path));
    if (!journal.createWith(bytes)) {
      await replaceFile(path, bytes);
      return journal;
    }
    try {
      await syncDirectory(dirname(path));
      return journal;
    } catch (cause) {
      await journal.close();
      removeIfPresent(path);
      throw cause;
    }
  }

  /** Continues a journal after its intact bytes; a torn line is cut off. */
  static async resume(path: string, intactBytes: number): Promise<FileJournal> {
    await world.files.truncate(path, intactBytes);
    return new FileJournal(path);
  }

  /** True after an append failed: later records are missing. */
  get isBroken(): boolean {
    return this.broken !== undefined;
  }

  note(record: JournalRecord): void {
    this.write(record);
  }

  async append(entry: JournalEntry): Promise<void> {
    this.write(entry);
    await this.commit.run();
  }

  /**
   * Records the digest of the state file that is about to store all records. If an append fails, or
   * failed before, another file with the intact lines replaces the journal: a run that is killed
   * before it removes the journal must not leave one that the state does not explain.
   */
  async fold(sha256: string): Promise<void> {
    const entry: JournalEntry = { kind: "folding", sha256 };
    const isAppended = await this.append(entry).then(
      () => true,
      () => false,
    );
    if (isAppended) return;
    const bytes = (await readIfPresent(this.path)) ?? Buffer.alloc(0);
    const { content } = parseJournal(bytes, this.path);
    if (!content?.header) return;
    const intact = bytes.subarray(0, content.intactBytes);
    await replaceFile(this.path, Buffer.concat([intact, Buffer.from(formatEntry(entry))]));
  }

  async close(): Promise<void> {
    await this.commit.ended();
    this.broken ??= new JournalError(this.path, new Error("it is closed"));
    if (!this.file) return;
    world.files.closeSync(this.file.fd);
    this.file = undefined;
    open -= 1;
  }

  /** Writes to the page cache synchronously, which is faster than a write in another thread. */
  private write(entry: JournalEntry): void {
    if (this.broken) throw this.broken;
    const bytes = Buffer.from(formatEntry(entry));
    try {
      this.appendBytes(bytes);
    } catch (cause) {
      // The file may end in half a line, which no other may follow.
      throw (this.broken = new JournalError(this.path, cause));
    }
  }

  /** False if there is a file already. After an error there is none. */
  private createWith(bytes: Uint8Array): boolean {
    const fd = openNew(this.path);
    if (fd === undefined) return false;
    try {
      this.appendTo(fd, bytes);
      return true;
    } catch (cause) {
      removeIfPresent(this.path);
      throw cause;
    }
  }

  private appendBytes(bytes: Uint8Array): void {
    if (this.file && world.files.statSync(this.path).ino !== this.file.inode) {
      throw new Error("another program replaced the file");
    }
    this.appendTo(this.file?.fd ?? openToWrite(this.path, "append"), bytes);
  }

  /** Appends to a descriptor, which then stays open or is closed. */
  private appendTo(fd: number, bytes: Uint8Array): void {
    try {
      writeWhole(fd, bytes);
      if (this.file || open === MOST_OPEN_JOURNALS) return;
      this.file = { fd, inode: world.files.fstatSync(fd).ino };
      open += 1;
    } finally {
      if (this.file?.fd !== fd) world.files.closeSync(fd);
    }
  }

  private async sync(): Promise<void> {
    if (this.broken) throw this.broken;
    try {
      if (this.file) await world.files.syncContent(this.file.fd);
      else await withFile(this.path, "r+", ({ fd }) => world.files.syncContent(fd));
    } catch (cause) {
      throw (this.broken = new JournalError(this.path, cause));
    }
  }
}
