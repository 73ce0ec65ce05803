import { kindOf, type EntriesDiff, type EntryChange } from "../entries/entries-diff";

/** The order of a list before and after, as two columns. Both have the same slots. */
export interface OrderColumns {
  readonly before: readonly Slot[];
  readonly after: readonly Slot[];
}

export type Slot =
  | { readonly kind: "entry"; readonly entry: EntryChange }
  /** Unchanged neighbours that stay together. */
  | { readonly kind: "fold"; readonly count: number }
  /** Unmanaged entries. */
  | { readonly kind: "others"; readonly names: readonly string[] };

/** Fewer neighbours than these are drawn one by one. */
const LEAST_FOLD = 3;

export function orderColumns({ entries, others, othersNames }: EntriesDiff): OrderColumns {
  const slots = slotsOf(entries);
  const unmanaged: Slot = { kind: "others", names: othersNames };
  const column = (position: Position): readonly Slot[] => {
    const found = inOrder(entries, position).flatMap((entry) => slots.get(entry) ?? []);
    const managed = [...new Set(found)];
    if (others === "before") return [unmanaged, ...managed];
    return others === "behind" ? [...managed, unmanaged] : managed;
  };
  return { before: column(({ from }) => from), after: column(({ to }) => to) };
}

/** The slot of each entry. Runs of unchanged entries that are adjacent in both orders share one. */
function slotsOf(entries: readonly EntryChange[]): ReadonlyMap<EntryChange, Slot> {
  const slots = new Map<EntryChange, Slot>(
    entries.map((entry) => [entry, { kind: "entry", entry }]),
  );
  let run: EntryChange[] = [];
  const close = () => {
    if (run.length >= LEAST_FOLD) {
      const fold: Slot = { kind: "fold", count: run.length };
      for (const entry of run) slots.set(entry, fold);
    }
    run = [];
  };
  for (const entry of inOrder(entries, ({ to }) => to)) {
    const last = run.at(-1);
    if (last && entry.from !== (last.from ?? 0) + 1) close();
    if (kindOf(entry) === "unchanged") run.push(entry);
    else close();
  }
  close();
  return slots;
}

type Position = (entry: EntryChange) => number | undefined;

function inOrder(entries: readonly EntryChange[], position: Position): readonly EntryChange[] {
  return entries
    .filter((entry) => position(entry) !== undefined)
    .sort((a, b) => (position(a) ?? 0) - (position(b) ?? 0));
}
