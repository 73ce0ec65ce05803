import type { OthersPlace } from "../../provider/schema/review";
import { kindOf, type EntriesDiff, type EntryChange } from "../entries/model";

/** The order of a list before and after, as two columns whose slots are joined by lines. */
export interface OrderColumns {
  readonly before: readonly Slot[];
  readonly after: readonly Slot[];
}

export type Slot =
  | { readonly kind: "entry"; readonly entry: EntryChange }
  /** Neighbours that stay as they are and together. */
  | { readonly kind: "fold"; readonly id: number; readonly count: number }
  /** Those that are not managed with these. */
  | { readonly kind: "others"; readonly names: readonly string[] };

/** Fewer neighbours than these are drawn one by one. */
const LEAST_FOLD = 3;

export function orderColumns({ entries, others, othersNames }: EntriesDiff): OrderColumns {
  const folds = foldsOf(entries);
  const beside = others && { place: others, names: othersNames };
  return {
    before: withOthers(
      column(entries, ({ from }) => from, folds),
      beside,
    ),
    after: withOthers(
      column(entries, ({ to }) => to, folds),
      beside,
    ),
  };
}

interface Fold {
  readonly id: number;
  readonly entries: readonly EntryChange[];
}

/** Runs of unchanged entries that follow each other in both orders. */
function foldsOf(entries: readonly EntryChange[]): ReadonlyMap<EntryChange, Fold> {
  const folds = new Map<EntryChange, Fold>();
  let run: EntryChange[] = [];
  const close = () => {
    if (run.length >= LEAST_FOLD) {
      const fold = { id: folds.size, entries: run };
      for (const entry of run) folds.set(entry, fold);
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
  return folds;
}

function column(
  entries: readonly EntryChange[],
  position: (entry: EntryChange) => number | undefined,
  folds: ReadonlyMap<EntryChange, Fold>,
): readonly Slot[] {
  return inOrder(entries, position).flatMap((entry): Slot[] => {
    const fold = folds.get(entry);
    if (!fold) return [{ kind: "entry", entry }];
    const isFirst = fold.entries[0] === entry;
    return isFirst ? [{ kind: "fold", id: fold.id, count: fold.entries.length }] : [];
  });
}

function inOrder(
  entries: readonly EntryChange[],
  position: (entry: EntryChange) => number | undefined,
): readonly EntryChange[] {
  return entries
    .filter((entry) => position(entry) !== undefined)
    .sort((a, b) => (position(a) ?? 0) - (position(b) ?? 0));
}

interface Others {
  readonly place: OthersPlace;
  readonly names: readonly string[];
}

function withOthers(slots: readonly Slot[], others: Others | undefined): readonly Slot[] {
  if (!others) return slots;
  const slot: Slot = { kind: "others", names: others.names };
  if (others.place === "before") return [slot, ...slots];
  return others.place === "behind" ? [...slots, slot] : slots;
}
