import { error, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import type { RecordedStack } from "../../core/documents/run-record";
import type { RunResult } from "./entries";
import type { RunRecord } from "./read-run-log";

/** A record and its file. */
export interface RecordFile {
  readonly file: string;
  readonly record: RunRecord;
}

/** A run: one record, or the records of its shards together. */
export interface JoinedRecord extends RecordFile {
  /** Its files; the first one is `file`. */
  readonly files: readonly string[];
}

/**
 * Joins the records of shards with one ID, if they are parts of one run: with one operation, app and
 * number of shards, and without common stacks. Others are an error, and are left out.
 */
export function joinShards(records: readonly RecordFile[]): {
  readonly runs: readonly JoinedRecord[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const runs: JoinedRecord[] = [];
  const diagnostics: Diagnostic[] = [];
  const divided = new Set(records.flatMap(({ record }) => (record.shard ? [record.id] : [])));
  // A run that is resumed into another file leaves two records with one ID.
  const keyOf = ({ file, record }: RecordFile) => (divided.has(record.id) ? record.id : { file });
  for (const group of groupBy(records, keyOf)) {
    const problem = differenceOf(group);
    if (problem === undefined) runs.push(joined(group));
    else diagnostics.push(notOneRun(group, problem));
  }
  return { runs, diagnostics };
}

function differenceOf(parts: readonly RecordFile[]): string | undefined {
  const [first, ...others] = parts;
  if (!first || others.length === 0) return undefined;
  const differs = (of: (record: RunRecord) => unknown) =>
    others.some(({ record }) => of(record) !== of(first.record));
  if (parts.some(({ record }) => !record.shard)) return "not all of them are shards";
  if (differs(({ operation }) => operation)) return "their operations differ";
  if (differs(({ program }) => program)) return "their apps differ";
  if (differs(({ rollsBack }) => rollsBack)) return "they roll back different runs";
  if (differs(({ shard }) => shard?.count)) return "their numbers of shards differ";
  const seen = new Set<string>();
  const common = parts
    .flatMap(({ record }) => record.stacks)
    .find((stack) => seen.size === seen.add(stack).size);
  return common === undefined ? undefined : `more than one of them has the stack "${common}"`;
}

function joined(parts: readonly [RecordFile, ...RecordFile[]]): JoinedRecord {
  const sorted = [...parts].sort((a, b) => indexOf(a) - indexOf(b));
  const [{ file, record } = parts[0]] = sorted;
  const files = sorted.map((part) => part.file);
  if (!record.shard) return { file, record, files };
  const records = sorted.map((part) => part.record);
  const starts = records.flatMap(({ startedAt }) => startedAt ?? []).sort();
  return {
    file,
    files,
    record: {
      ...record,
      startedAt: starts[0],
      stacks: records.flatMap(({ stacks }) => stacks),
      done: new Set(records.flatMap(({ done }) => [...done])),
      failed: new Set(records.flatMap(({ failed }) => [...failed])),
      recorded: new Map(records.flatMap((one) => [...changesOf(one)])),
      approvals: records.flatMap(({ approvals }) => approvals),
      waits: records.find(({ waits }) => waits)?.waits,
      result: sumOf(records),
    },
  };
}

/**
 * Returns the changes of a run, by stack. A record without its end, or without parts, may lack stacks
 * that were started: their states show it.
 */
export function changesOf({
  recorded,
  stacks,
  result,
  proof,
  isJoined,
}: RunRecord): ReadonlyMap<string, RecordedStack> {
  if (!proof || (result && !isJoined)) return recorded;
  const { digests, ...own } = proof;
  // The lines of a joined record are about the run.
  const nothing = { ...own, digests: isJoined ? [] : digests };
  const none = { proof: nothing, before: undefined, after: undefined, objects: [] };
  return new Map(stacks.map((stack) => [stack, recorded.get(stack) ?? none]));
}

function indexOf({ record }: RecordFile): number {
  return record.shard?.index ?? 0;
}

/** Undefined until all shards have ended. */
function sumOf(records: readonly RunRecord[]): RunResult | undefined {
  const results = records.flatMap(({ result }) => result ?? []);
  if (results.length < (records[0]?.shard?.count ?? 1)) return undefined;
  const sum = (of: (result: RunResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    applied: sum(({ applied }) => applied),
    failed: sum(({ failed }) => failed),
    excluded: sum(({ excluded }) => excluded),
    not_started: sum(({ not_started }) => not_started),
    interrupted: results.some(({ interrupted }) => interrupted),
  };
}

function notOneRun(parts: readonly RecordFile[], problem: string): Diagnostic {
  const files = parts.map(({ file }) => file).join(", ");
  return error(
    "Records are not of one run",
    `${files} have the ID ${JSON.stringify(parts[0]?.record.id)}, but ${problem}. Shards of one run have the same ID, app and number of shards, and each a part of the stacks. Start another run with another --run-id.`,
  );
}
