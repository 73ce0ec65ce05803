import { weakeningsOf } from "./entries/entry-words";
import type { StackReview } from "./overview";

/** One thing that weakens protection, and where: the same in several stacks is one. */
export interface Weakening {
  readonly address: string;
  /** `policy "No root": disabled` */
  readonly text: string;
  readonly places: readonly {
    readonly review: StackReview;
    /** Of its change. */
    readonly index: number;
  }[];
}

/** What reviewers should look at first, in the order of the stacks. */
export function groupWeakenings(reviews: readonly StackReview[]): readonly Weakening[] {
  const groups = new Map<string, Weakening & { places: Weakening["places"][number][] }>();
  for (const review of reviews) {
    for (const [index, { change, entries }] of review.changes.entries()) {
      for (const text of entries.flatMap(weakeningsOf)) {
        const { address } = change;
        const key = JSON.stringify([address, text]);
        const group = groups.get(key) ?? { address, text, places: [] };
        group.places.push({ review, index });
        groups.set(key, group);
      }
    }
  }
  return [...groups.values()];
}
