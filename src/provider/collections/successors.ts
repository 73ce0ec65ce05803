import type { Console } from "../console/connection";
import { split, type EntryCodec, type Ownership } from "./ownership";

/** An object that was created while another one still managed the same collection. */
interface Successor {
  readonly ownership: Ownership;
  readonly keys: readonly string[];
}

/*
 * With `create_before_destroy` (which Terraform extends to the dependencies of a resource) the new
 * object exists when the old one is destroyed, and the destroy must not undo it. No call says that
 * an object is being replaced, so each connection, which lasts one run, records what it created. A
 * run destroys no object that it created.
 */
const created = new WeakMap<Console, Map<string, readonly Successor[]>>();

/** Records an object that this connection created. */
export function rememberCreation(
  console: Console,
  { place }: { readonly place: string },
  successor: Successor,
): void {
  const ofConsole = created.get(console) ?? new Map<string, readonly Successor[]>();
  created.set(console, ofConsole);
  ofConsole.set(place, [...(ofConsole.get(place) ?? []), successor]);
}

/** The objects that this connection created next to one that it destroys. */
export function successorsOf(
  console: Console,
  { place }: { readonly place: string },
): readonly Successor[] {
  return created.get(console)?.get(place) ?? [];
}

/**
 * The items that a destroy leaves. `leave` computes them of the items that no successor manages, without
 * the entries of these keys.
 */
export function besideSuccessors<Item>(
  codec: EntryCodec<Item>,
  successors: readonly Successor[],
  items: readonly Item[],
  leave: (items: readonly Item[], keys: ReadonlySet<string>) => readonly Item[],
): readonly Item[] {
  const kept = new Set<Item>();
  const last = new Set<Item>();
  for (const { ownership, keys } of successors) {
    for (const item of split(codec, ownership, items, keys).managed) {
      kept.add(item);
      if (ownership === "suffix") last.add(item);
    }
  }
  const keys = new Set([...kept].map((item) => codec.keyOfItem(item)));
  const outgoing = (item: Item) => codec.outgoing(item);
  return [
    ...items.filter((item) => kept.has(item) && !last.has(item)).map(outgoing),
    ...(successors.some(({ ownership }) => ownership === "exclusive")
      ? []
      : leave(
          items.filter((item) => !kept.has(item)),
          keys,
        )),
    ...items.filter((item) => last.has(item)).map(outgoing),
  ];
}
