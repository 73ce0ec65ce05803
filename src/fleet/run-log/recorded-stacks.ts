import type { RecordedReplacement } from "../../core/definitions/content-record";
import type {
  ObjectRecord,
  RecordedObject,
  RecordedStack,
  StateMark,
} from "../../core/documents/run-record";
import type { ActionStep } from "../../core/documents/events";
import type { InstanceState } from "../../core/documents/state";
import type { RunLogEntry } from "./entries";

/** One operation on an object. */
interface RecordedOperation {
  readonly action: ActionStep;
  readonly before: InstanceState | null;
  /** The last write counts: a repair replaces what somebody else wrote in between. */
  content?: RecordedReplacement | "hidden";
  isStored?: true;
}

interface Changing {
  readonly address: string;
  readonly provider: string;
  readonly before: InstanceState | null;
  readonly stored: (InstanceState | null)[];
  readonly operations: RecordedOperation[];
  /** The number of the line of its last change. */
  line: number;
}

/** Collects what a run has done to its stacks, from the lines of its record. */
export class RecordedStacks {
  private readonly stacks = new Map<
    string,
    { before?: StateMark; after?: StateMark; readonly objects: Map<string, Changing> }
  >();
  private readonly started = new Set<string>();
  /** Stacks that another engine has changed, which records no objects. */
  private readonly unrecorded = new Set<string>();
  private lines = 0;

  add(entry: RunLogEntry): void {
    this.lines++;
    if (entry.type === "stack_start") {
      const stack = this.stack(entry.stack);
      this.started.add(entry.stack);
      if (entry.origin) stack.before ??= entry.origin.state;
      else this.unrecorded.add(entry.stack);
      // Until it has ended, its state is not known.
      delete stack.after;
    } else if (entry.type === "stack_result") {
      if (entry.result.state) this.stack(entry.stack).after = entry.result.state;
    } else if (entry.type === "object_record") {
      note(this.stack(entry.stack).objects, entry.object, this.lines);
    }
  }

  /** The stacks that were started. Another one keeps its state, whatever it has recorded. */
  get all(): ReadonlyMap<string, RecordedStack> {
    const started = [...this.stacks].filter(([name]) => this.started.has(name));
    return new Map(
      started.map(([name, { before, after, objects }]) => {
        if (this.unrecorded.has(name)) return [name, { before: undefined, after, objects: [] }];
        const changed = [...objects.values()].sort((a, b) => b.line - a.line);
        return [name, { before, after, objects: changed.map(recordedObject) }];
      }),
    );
  }

  private stack(name: string) {
    const stack = this.stacks.get(name) ?? { objects: new Map<string, Changing>() };
    this.stacks.set(name, stack);
    return stack;
  }
}

function note(objects: Map<string, Changing>, record: ObjectRecord, line: number): void {
  const { address } = record;
  const known = objects.get(address);
  if (record.kind === "start") {
    const { provider, action, before } = record;
    const isContinued = known !== undefined && !hasLostLines(known, before);
    const object = isContinued
      ? known
      : { address, provider, before, stored: [], operations: [], line };
    object.operations.push({ action, before });
    objects.set(address, object);
    return;
  }
  const operation = known?.operations.at(-1);
  // The state has imported objects before anything is done to them.
  if (!known || !operation) return;
  known.line = line;
  if (record.kind === "stored") {
    known.stored.push(record.after);
    operation.isStored = true;
  } else if ("hidden" in record.content) {
    operation.content = "hidden";
  } else if ("digest" in record.content) {
    const { content } = operation;
    if (typeof content === "object") operation.content = { ...content, ...record.content };
  } else {
    const { found, foundLast = found } = record.content;
    operation.content = { ...record.content, foundLast, digest: undefined };
  }
}

/**
 * Reports whether the state shows a change that the last operation does not record: the machine has lost
 * power before the lines were on the disk. The replaced content is not known, so a rollback can only
 * go back to what the next operation has found.
 */
function hasLostLines({ operations }: Changing, now: InstanceState | null): boolean {
  const last = operations.at(-1);
  if (!last || last.isStored || last.content) return false;
  return JSON.stringify(last.before) !== JSON.stringify(now);
}

/** An operation without content has changed the state only, or nothing. */
function recordedObject(changing: Changing): RecordedObject {
  const { address, provider, before, stored, operations } = changing;
  const contents = operations.flatMap(({ content }) => content ?? []);
  const known = contents.filter((content) => content !== "hidden");
  const last = known.at(-1);
  const replaced = last ? { ...last, earlier: known.slice(0, -1) } : "unchanged";
  const content = known.length < contents.length ? "hidden" : replaced;
  const isComplete = operations.at(-1)?.isStored === true;
  const actions = operations.map(({ action }) => action);
  return { address, provider, actions, before, stored, isComplete, content };
}
