import type { FieldTable } from "./field-table";
import { indexesIn, type IndexSet } from "./index-set";
import type { SearchScope } from "./search-scope";
import { valuesOf } from "./value-search";

/** One label for each scope that takes workloads out of it. */
export class LeavingLabels {
  /** By scope. */
  private readonly labels: string[] = [];
  /** The scopes that have `*`, and such a label. */
  private readonly leavable: IndexSet;
  /** By scope: the scopes whose label takes workloads out of it, too. */
  private readonly taking: IndexSet[] = [];

  constructor({ scopes, field, exemptedSample, included, matching }: FieldTable) {
    let leavable = 0n;
    for (const { index, bit, lists } of scopes) {
      if (lists[field].exempted.length === 0) continue;
      const [label] = valuesOf(exemptedSample.of(lists[field]).value);
      if (label === undefined) continue;
      this.labels[index] = label;
      leavable |= bit;
      for (const other of indexesIn(matching.of(label).exempted))
        this.taking[other] = (this.taking[other] ?? 0n) | bit;
    }
    this.leavable = leavable & included.everything;
  }

  /** Labels that take workloads out of all scopes of a set and of none of `inside`, if these can do so. */
  of(left: IndexSet, inside: readonly SearchScope[]): readonly string[] | undefined {
    if ((left & ~this.leavable) !== 0n) return undefined;
    if (inside.some(({ index }) => (left & (this.taking[index] ?? 0n)) !== 0n)) return undefined;
    return indexesIn(left).map((index) => this.labels[index] ?? "");
  }
}
