import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { errorText } from "../../provider/file-problem";
import { syncContent, withFile } from "../../provider/open-files";
import type { Journal, JournalRecord } from "./backend";
import { replaceFile } from "./durable-file";
import { SharedTask } from "./shared-task";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { parseAddress } from "../state/address";
import { formatJson, type JsonTree } from "../state/format-json";
import { parseJson } from "../../provider/lossless-json";
import { storedInstance, storedOutput } from "../state/read";
import { encodeInstance, encodeOutput } from "../state/write";

/**
 * A journal is lines of JSON, `["CHECKSUM",ENTRY]`: the CRC-32 of the entry's bytes in eight hex
 * digits, and the entry. The first entry is the header. A line counts once its line break is there.
 */
type JournalEntry = JournalHeader | JournalRecord | JournalFolding;

/** The state that the journal continues. */
export interface JournalHeader {
  readonly kind: "header";
  readonly format: 1;
  readonly lineage: string;
  /** Of the state file when the journal began; 0 if there was none. */
  readonly serial: number;
}

/** All records before it are about to be stored, in a state file with this digest. */
interface JournalFolding {
  readonly kind: "folding";
  readonly sha256: string;
}

export interface JournalContent {
  /** Undefined if the process died before it wrote the header. */
  readonly header: JournalHeader | undefined;
  readonly records: readonly JournalRecord[];
  /** Digests of the state files that were to store the records. */
  readonly foldings: readonly string[];
  /** The number of intact bytes. A line after them was never acknowledged. */
  readonly intactBytes: number;
}

export function formatEntry(entry: JournalEntry): string {
  const text = formatJson(encodeEntry(entry));
  return `["${checksum(Buffer.from(text))}",${text}]\n`;
}

/**
 * Reads a journal's bytes. A torn last line is ignored: it was never acknowledged. A bad line before
 * good ones is damage, and an error.
 */
export function parseJournal(
  bytes: Buffer,
  location: string,
): { content?: JournalContent; diagnostics: readonly Diagnostic[] } {
  const lines = splitLines(bytes).map(({ line, end }) => ({ entry: parseLine(line), end }));
  const firstBad = lines.findIndex(({ entry }) => !entry);
  const good = firstBad < 0 ? lines : lines.slice(0, firstBad);
  const damaged = lines.slice(good.length).some(({ entry }) => entry);
  const entries = good.flatMap(({ entry }) => entry ?? []);
  const [header, ...rest] = entries;

  if (damaged || (header && header.kind !== "header")) {
    return {
      diagnostics: [
        error(
          "Journal is damaged",
          `Line ${damaged ? good.length + 1 : 1} of ${location} does not match its checksum, but ` +
            `lines after it do: something other than an interrupted run changed the file. It ` +
            `records what a run did after it last wrote the state file. Restore it from a ` +
            `backup, or move it away and review the differences in the next plan.`,
        ),
      ],
    };
  }
  return {
    content: {
      header,
      records: rest.filter((entry) => entry.kind !== "header" && entry.kind !== "folding"),
      foldings: rest.flatMap((entry) => (entry.kind === "folding" ? [entry.sha256] : [])),
      intactBytes: good.at(-1)?.end ?? 0,
    },
    diagnostics: [],
  };
}

/** Splits into complete lines without their breaks; `end` is after the break. */
function splitLines(bytes: Buffer): readonly { readonly line: Buffer; readonly end: number }[] {
  const lines = [];
  for (let start = 0; ;) {
    const end = bytes.indexOf("\n", start) + 1;
    if (end === 0) return lines;
    lines.push({ line: bytes.subarray(start, end - 1), end });
    start = end;
  }
}

const FRAME = { start: '["01234567",'.length, end: "]".length };

function parseLine(line: Buffer): JournalEntry | undefined {
  const body = line.subarray(FRAME.start, line.length - FRAME.end);
  const frame = `["${checksum(body)}",`;
  if (!line.subarray(0, FRAME.start).equals(Buffer.from(frame)) || line.at(-1) !== 0x5d) {
    return undefined;
  }
  return entrySchema.safeParse(jsonIn(body)).data;
}

/** Undefined if it is not JSON, as no run writes it. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}

function encodeEntry(entry: JournalEntry): JsonTree {
  if (entry.kind === "instance") {
    const { kind, address, deposed, provider, instance, checkpoint } = entry;
    return {
      kind,
      address,
      provider,
      instance: instance && encodeInstance(instance),
      ...(deposed !== undefined && { deposed }),
      ...(checkpoint && { checkpoint }),
    };
  }
  if (entry.kind === "output") {
    return { ...entry, output: entry.output && encodeOutput(entry.output) };
  }
  return { ...entry };
}

const address = z.string().refine((text) => parseAddress(text) !== undefined);

const entrySchema: z.ZodType<JournalEntry> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("header"),
    format: z.literal(1),
    lineage: z.string(),
    serial: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal("intent"), address, action: z.string() }),
  z.object({
    kind: z.literal("instance"),
    address,
    deposed: z.string().optional(),
    provider: z.string(),
    instance: storedInstance.nullable(),
    checkpoint: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("output"), name: z.string(), output: storedOutput.nullable() }),
  z.object({ kind: z.literal("folding"), sha256: z.string() }),
]);

/** A record could not be made durable. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  constructor(path: string, cause: unknown) {
    super(`The journal ${path} could not be written: ${errorText(cause)}`, { cause });
  }
}

/** Journals that stay open while they are written: a run may have thousands of stacks. */
const MOST_OPEN = 64;
let open = 0;

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

  /** Creates a journal, in place of an existing one. */
  static async create(path: string, header: JournalHeader): Promise<FileJournal> {
    await replaceFile(path, Buffer.from(formatEntry(header)));
    return new FileJournal(path);
  }

  /** Continues a journal after its intact bytes; a torn line is cut off. */
  static async resume(path: string, intactBytes: number): Promise<FileJournal> {
    await truncate(path, intactBytes);
    return new FileJournal(path);
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
    await this.commit.run();
  }

  async close(): Promise<void> {
    await this.commit.ended();
    this.broken ??= new JournalError(this.path, new Error("it is closed"));
    if (!this.file) return;
    closeSync(this.file.fd);
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

  private appendBytes(bytes: Uint8Array): void {
    if (this.file && statSync(this.path).ino !== this.file.inode) {
      throw new Error("another program replaced the file");
    }
    const fd = this.file?.fd ?? openSync(this.path, constants.O_WRONLY | constants.O_APPEND);
    try {
      for (let written = 0; written < bytes.length;) {
        written += writeSync(fd, bytes, written);
      }
      if (this.file || open === MOST_OPEN) return;
      this.file = { fd, inode: fstatSync(fd).ino };
      open += 1;
    } finally {
      if (this.file?.fd !== fd) closeSync(fd);
    }
  }

  private async sync(): Promise<void> {
    if (this.broken) throw this.broken;
    try {
      if (this.file) await syncContent(this.file);
      else await withFile(this.path, "r+", syncContent);
    } catch (cause) {
      throw (this.broken = new JournalError(this.path, cause));
    }
  }
}
