import { crc32 } from "node:zlib";
import { z } from "zod";
import { error, type Diagnostic } from "../core/diagnostics";
import { parseJson } from "../core/json/lossless-json";
import { parseAddress } from "../core/documents/address";
import { formatJson, type JsonTree } from "../core/json/format-json";
import { storedInstance, storedOutput } from "../formats/state-file/schema";
import { instanceTree, outputTree } from "../formats/state-file/write";
import type { JournalRecord } from "./backend";

/**
 * A journal is lines of JSON, `["CHECKSUM",ENTRY]`: the CRC-32 of the entry's bytes in eight hex
 * digits, and the entry. The first entry is the header. A line counts once its line break is there.
 */
export type JournalEntry = JournalHeader | JournalRecord | JournalFolding;

/** The state that the journal continues. */
export interface JournalHeader {
  readonly kind: "header";
  readonly format: 1;
  readonly lineage: string;
  /** The serial of the state file when the journal began; 0 if there was none. */
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
      instance: instance && instanceTree(instance),
      ...(deposed !== undefined && { deposed }),
      ...(checkpoint && { checkpoint }),
    };
  }
  if (entry.kind === "output") {
    return { ...entry, output: entry.output && outputTree(entry.output) };
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
  z.object({ kind: z.literal("mark"), run: z.string(), line: z.int(), sha256: z.string() }),
  z.object({ kind: z.literal("output"), name: z.string(), output: storedOutput.nullable() }),
  z.object({ kind: z.literal("folding"), sha256: z.string() }),
]);
