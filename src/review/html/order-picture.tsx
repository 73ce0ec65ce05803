import { kindOfChange, type EntriesDiff, type EntryChange } from "../entries/entries-diff";
import { describeName, describePlace } from "../entries/entry-text";
import { quote } from "../../core/printed";
import { shortened } from "../entries/shortened";

const ROW = 24;
const COLUMN = 300;
const GAP = 160;
const WIDTH = 2 * COLUMN + GAP;
const HEADING = 28;
/** The room of a cell, in characters of 12 pixels. */
const MOST_COLUMNS = 38;

/** Draws the order before and after side by side, with a line from each entry to itself. */
export function OrderPicture({ diff }: { readonly diff: EntriesDiff }) {
  const { before, after } = orderColumns(diff);
  const height = HEADING + ROW * Math.max(before.length, after.length) + 8;
  const rowsBefore = new Map(before.map((slot, row) => [slot, row]));
  const moves = diff.entries.filter(({ moved }) => moved).length;
  const title = `Order of the ${diff.nouns} before and after: ${moves} moved. The list below has the same information.`;
  return (
    <div class="scroll" role="region" aria-label={`Order of the ${diff.nouns}`} tabIndex={0}>
      <svg
        class="order"
        role="img"
        aria-label={title}
        viewBox={`0 0 ${WIDTH} ${height}`}
        width={WIDTH}
      >
        <text class="heading" x={8} y={18}>
          Before
        </text>
        <text class="heading" x={COLUMN + GAP + 8} y={18}>
          After
        </text>
        {after.map((slot, to) => {
          const from = rowsBefore.get(slot);
          if (from === undefined) return null;
          const isMoved = slot.kind === "entry" && slot.entry.moved;
          return (
            <line
              class={isMoved ? "link moved" : "link"}
              x1={COLUMN}
              x2={COLUMN + GAP}
              y1={middle(from)}
              y2={middle(to)}
            />
          );
        })}
        {before.map((slot, row) => (
          <Cell {...describeSlot(slot, FROM)} row={row} x={0} />
        ))}
        {after.map((slot, row) => (
          <Cell {...describeSlot(slot, TO)} row={row} x={COLUMN + GAP} />
        ))}
      </svg>
    </div>
  );
}

interface CellText {
  readonly text: string;
  readonly style: string;
  /** The full text, where the cell has no room for it. */
  readonly title?: string;
}

type CellProps = CellText & { readonly row: number; readonly x: number };

function Cell({ text, style, title, row, x }: CellProps) {
  return (
    <g class={`cell ${style}`}>
      {title !== undefined && <title>{title}</title>}
      <rect x={x + 0.5} y={HEADING + row * ROW + 1.5} width={COLUMN - 1} height={ROW - 3} rx={3} />
      <text x={x + 8} y={middle(row) + 4}>
        {text}
      </text>
    </g>
  );
}

function middle(row: number): number {
  return HEADING + row * ROW + ROW / 2;
}

type Position = (entry: EntryChange) => number | undefined;

const FROM: Position = ({ from }) => from;
const TO: Position = ({ to }) => to;

function describeSlot(slot: Slot, position: Position): CellText {
  if (slot.kind === "fold") return { text: `… ${slot.count} unchanged`, style: "fold" };
  if (slot.kind === "others") {
    const { names } = slot;
    if (names.length === 0) return { text: "unmanaged", style: "fold" };
    const title = names.map(quote).join(", ");
    return { text: `… ${names.length} unmanaged`, style: "fold", title };
  }
  const { entry } = slot;
  const [kind, name] = [kindOfChange(entry), describeName(entry)];
  const changed = entry.moved ? "↕" : "~";
  const symbol = { added: "+", removed: "−", changed, unchanged: "" }[kind];
  const number = (position(entry) ?? 0) + 1;
  const place = describePlace({ ...entry, summary: "" }, { isWhole: false });
  return {
    text: shortened(`${number}. ${symbol} ${name}`, MOST_COLUMNS),
    style: entry.moved ? "moved" : kind,
    title: `${name}${place}`,
  };
}

export type Slot =
  | { readonly kind: "entry"; readonly entry: EntryChange }
  /** Unchanged neighbours that stay together. */
  | { readonly kind: "fold"; readonly count: number }
  /** Unmanaged entries. */
  | { readonly kind: "others"; readonly names: readonly string[] };

/** Fewer neighbours than these are drawn one by one. */
const LEAST_FOLD = 3;

/** Arranges the order of a list before and after as two columns, which have the same slots. */
export function orderColumns({ entries, others, othersNames }: EntriesDiff) {
  const slots = slotsOf(entries);
  const unmanaged: Slot = { kind: "others", names: othersNames };
  const column = (position: Position): readonly Slot[] => {
    const found = inOrder(entries, position).flatMap((entry) => slots.get(entry) ?? []);
    const managed = [...new Set(found)];
    if (others === "before") return [unmanaged, ...managed];
    return others === "behind" ? [...managed, unmanaged] : managed;
  };
  return { before: column(FROM), after: column(TO) };
}

/** The slot of each entry. Runs of unchanged entries that are adjacent in both orders share one. */
function slotsOf(entries: readonly EntryChange[]): ReadonlyMap<EntryChange, Slot> {
  const slots = new Map<EntryChange, Slot>(
    entries.map((entry) => [entry, { kind: "entry", entry }]),
  );
  let run: EntryChange[] = [];
  const close = () => {
    const fold: Slot = { kind: "fold", count: run.length };
    if (run.length >= LEAST_FOLD) for (const entry of run) slots.set(entry, fold);
    run = [];
  };
  for (const entry of inOrder(entries, TO)) {
    const last = run.at(-1);
    if (last && entry.from !== (last.from ?? 0) + 1) close();
    if (kindOfChange(entry) === "unchanged") run.push(entry);
    else close();
  }
  close();
  return slots;
}

function inOrder(entries: readonly EntryChange[], position: Position): readonly EntryChange[] {
  return entries
    .filter((entry) => position(entry) !== undefined)
    .sort((a, b) => (position(a) ?? 0) - (position(b) ?? 0));
}
