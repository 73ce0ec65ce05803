import { kindOf, type EntriesDiff, type EntryChange } from "../entries/entries-diff";
import { describeName, describePlace } from "../entries/entry-text";
import { orderColumns, type Slot } from "./order-columns";
import { quote } from "../text/quote";
import { shortened } from "../text/shortened";

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
  const lines = after.flatMap((slot, to) => {
    const from = rowsBefore.get(slot);
    return from === undefined ? [] : [{ slot, from, to }];
  });
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
        {lines.map(({ slot, from, to }) => (
          <line
            class={isMoved(slot) ? "link moved" : "link"}
            x1={COLUMN}
            x2={COLUMN + GAP}
            y1={middle(from)}
            y2={middle(to)}
          />
        ))}
        {before.map((slot, row) => (
          <Cell slot={slot} row={row} x={0} position={({ from }) => from} />
        ))}
        {after.map((slot, row) => (
          <Cell slot={slot} row={row} x={COLUMN + GAP} position={({ to }) => to} />
        ))}
      </svg>
    </div>
  );
}

interface CellProps {
  readonly slot: Slot;
  readonly row: number;
  readonly x: number;
  readonly position: (entry: EntryChange) => number | undefined;
}

function Cell({ slot, row, x, position }: CellProps) {
  const { text, style, title } = describeSlot(slot, position);
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

interface CellText {
  readonly text: string;
  readonly style: string;
  /** The full text, where the cell has no room for it. */
  readonly title?: string;
}

function describeSlot(slot: Slot, position: CellProps["position"]): CellText {
  switch (slot.kind) {
    case "fold":
      return { text: `… ${slot.count} unchanged`, style: "fold" };
    case "others": {
      const { names } = slot;
      return names.length === 0
        ? { text: "unmanaged", style: "fold" }
        : {
            text: `… ${names.length} unmanaged`,
            style: "fold",
            title: names.map(quote).join(", "),
          };
    }
    case "entry": {
      const { entry } = slot;
      const kind = kindOf(entry);
      const symbol = { added: "+", removed: "−", changed: entry.moved ? "↕" : "~", unchanged: "" }[
        kind
      ];
      const number = (position(entry) ?? 0) + 1;
      const name = describeName(entry);
      return {
        text: shortened(`${number}. ${symbol} ${name}`, MOST_COLUMNS),
        style: entry.moved ? "moved" : kind,
        title: `${name}${kind === "unchanged" ? "" : describePlace(entry, { ordered: true })}`,
      };
    }
  }
}

function isMoved(slot: Slot): boolean {
  return slot.kind === "entry" && slot.entry.moved;
}

function middle(row: number): number {
  return HEADING + row * ROW + ROW / 2;
}
