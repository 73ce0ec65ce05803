import type { ObjectRecord, RunMark, StateMark } from "../../core/documents/run-record";
import { hasErrors } from "../../core/diagnostics";
import { world } from "../../core/io/world";
import { formatJson } from "../../core/json/format-json";
import { digestOfLine, shortDigest } from "../../fleet/run-log/line-digest";
import { ContentWriter } from "../../fleet/run-log/repeated-content";
import type { RunLogEntry, RecordedStatus } from "../../fleet/run-log/entries";
import { formatMessage, type UiMessage } from "../../formats/ui-stream/message";
import { groupExclusions } from "../../review/exclusions/group-exclusions";
import { type AppliedStack, encodeObjectRecord } from "../../runtime";

/** The lines of a record: each has the digest of the one before it. */
export class RecordLines {
  private readonly contents = new ContentWriter();
  private count: number;
  private last: string;

  /**
   * @param write - stores a line at once; throws if it cannot
   * @param before - the complete lines of the record so far
   */
  constructor(
    private readonly write: (line: string) => void,
    before: Uint8Array = Buffer.alloc(0),
  ) {
    const lines = Buffer.from(before).toString("utf8").split("\n").slice(0, -1);
    const line = lines.at(-1);
    this.count = lines.length;
    this.last = line === undefined ? "" : digestOfLine(line);
  }

  /** The last line, as states have it. @param run - the ID of the record */
  mark(run: string): RunMark {
    return { run, line: this.count, sha256: this.last };
  }

  add(message: UiMessage, stacks: readonly string[], time = world.clock.now()): void {
    this.append((previous) => {
      const members = { ...message.members, previous };
      return formatMessage({ ...message, members }, time, stacks);
    });
  }

  /** Records an object, as short as it can be: they are most of a record of many stacks. */
  addObject(stack: string, object: ObjectRecord): void {
    const kind = `${object.address} ${object.kind}`;
    const { line, contents } = this.contents.name(encodeObjectRecord(object), kind, stack);
    for (const { sha256, value } of contents) {
      this.append((previous) =>
        formatJson({ content: { sha256, value }, previous, type: "content" }),
      );
    }
    this.append((previous) => formatJson({ object: line, previous, stack, type: "object_record" }));
  }

  /** @param lineOf - called with the digest of the line before it */
  private append(lineOf: (previous: string) => string): void {
    const line = lineOf(shortDigest(this.last));
    this.write(line);
    this.count++;
    this.last = digestOfLine(line);
  }
}

/** Returns the line about the result of a stack. @param state - what its state is now, if it is recorded */
export function resultEntry(
  stack: string,
  status: RecordedStatus,
  { diagnostics, counts }: Pick<AppliedStack, "diagnostics"> & Partial<AppliedStack>,
  state?: StateMark,
): Extract<RunLogEntry, { type: "stack_result" }> {
  const [group] = groupExclusions([{ stack, diagnostics }]);
  const { add = 0, change = 0, destroy: remove = 0 } = counts ?? {};
  const reason = group && { reason: group.reason };
  const result = { status, ...reason, add, change, remove, ...(state && { state }) };
  return { type: "stack_result", stack, result };
}

/** @param interrupted - an incomplete stack without errors was interrupted */
export function statusOf(applied: AppliedStack, interrupted: boolean): RecordedStatus {
  const failed = hasErrors(applied.diagnostics) || !interrupted;
  return applied.complete ? "applied" : failed ? "failed" : "interrupted";
}
