import type { FieldTable } from "./field-table";
import { indexesIn, type IndexSet } from "./index-set";
import type { SearchScope } from "./search-scope";
import { valuesOf } from "./value-search";

/** One label for each scope that exempts labels: a workload with this label is not in the scope. */
export class LeavingLabels {
  /** The label by the index of its scope. */
  private readonly labels: string[] = [];
  /** The scopes that include `*` and have such a label. */
  private readonly leavable: IndexSet;
  /** For each scope, the scopes whose label it exempts too. */
  private readonly exempting: IndexSet[] = [];

  constructor({ scopes, field, exemptedSample, included, matching }: FieldTable) {
    let leavable = 0n;
    for (const { index, bit, lists } of scopes) {
      if (lists[field].exempted.length === 0) continue;
      const [label] = valuesOf(exemptedSample.of(lists[field]).value);
      if (label === undefined) continue;
      this.labels[index] = label;
      leavable |= bit;
      for (const other of indexesIn(matching.of(label).exempted))
        this.exempting[other] = (this.exempting[other] ?? 0n) | bit;
    }
    this.leavable = leavable & included.everything;
  }

  /** Finds labels by which a workload leaves all scopes of a set, and none of `inside`. */
  of(left: IndexSet, inside: readonly SearchScope[]): readonly string[] | undefined {
    if ((left & ~this.leavable) !== 0n) return undefined;
    if (inside.some(({ index }) => (left & (this.exempting[index] ?? 0n)) !== 0n)) return undefined;
    return indexesIn(left).map((index) => this.labels[index] ?? "");
  }
}
