import type { IndexSet } from "./index-set";
import { matchesScope, type Where, type Workload } from "./policy";
import { positiveForm } from "./positive-form";
import { RegionSearch, type Example } from "./region-search";
import { ScopeCompiler, type SearchScope } from "./search-scope";

/** Workloads of a region. */
interface Part {
  readonly where: Where;
  /** One of them; null if the search took too long to find out if there is one. */
  readonly example: Workload | null;
}

/**
 * Divides the workloads of a region that are in none of others into parts that have no workload in
 * common. There is none only if the others contain all.
 */
export function remainder(where: Where, others: readonly Where[]): readonly Part[] {
  const search = new Remainder(where, others);
  return Array.from(search.parts(true), ({ all, none, example }) => ({
    where: search.describe(all, none, example),
    example: example ?? null,
  }));
}

/** Finds a workload of a region that is in none of others. */
export function findOutside(where: Where, others: readonly Where[]): Example {
  const [part] = new Remainder(where, others).parts(false);
  return part ? part.example : null;
}

interface Compiled {
  readonly all: readonly SearchScope[];
  readonly none: IndexSet;
}

interface Found extends Compiled {
  readonly example: Workload | undefined;
}

class Remainder {
  private readonly whole: Compiled;
  private readonly others: readonly Compiled[];
  private readonly search: RegionSearch;

  constructor(where: Where, others: readonly Where[]) {
    const compiler = new ScopeCompiler();
    const compile = ({ all, none }: Where): Compiled => ({
      all: (all.length === 0 ? [{}] : all).map((scope) => compiler.compile(scope)),
      none: none.reduce((scopes, scope) => scopes | compiler.compile(scope).bit, 0n),
    });
    this.whole = compile(where);
    this.others = others.map(compile);
    this.search = new RegionSearch(compiler.scopes);
  }

  /** @param isExact Each workload of a part is outside of the others; otherwise only its example is. */
  parts(isExact: boolean): Generator<Found> {
    return this.leaveAll(this.whole, this.others, isExact);
  }

  describe(all: Compiled["all"], none: IndexSet, example: Workload | undefined): Where {
    const near = this.search.near(all, none);
    return positiveForm(all, this.search.withoutIdle(all, near, example));
  }

  /**
   * Leaves the first of the others that contains a workload of the region in each way: out of a scope
   * of `all`, or into one of `none`. Each way excludes those before it, so parts do not overlap.
   */
  private *leaveAll(
    { all, none }: Compiled,
    others: readonly Compiled[],
    isExact: boolean,
  ): Generator<Found> {
    const example = this.search.find(all, none);
    if (example === null) return;
    const left =
      example &&
      (others.find((other) => this.contains(other, example)) ??
        (isExact ? others.find((other) => this.meets({ all, none }, other)) : undefined));
    if (!left) {
      yield { all, none, example };
      return;
    }
    const rest = others.filter((other) => other !== left);
    let inside = all;
    for (const scope of left.all) {
      yield* this.leaveAll({ all: inside, none: none | scope.bit }, rest, isExact);
      inside = [...inside, scope];
    }
    let outside = none;
    for (const scope of this.search.scopesIn(left.none)) {
      yield* this.leaveAll({ all: [...inside, scope], none: outside }, rest, isExact);
      outside |= scope.bit;
    }
  }

  private meets({ all, none }: Compiled, other: Compiled): boolean {
    return this.search.find([...all, ...other.all], none | other.none) !== null;
  }

  private contains({ all, none }: Compiled, workload: Workload): boolean {
    const matches = ({ lists }: SearchScope) => matchesScope(lists, workload);
    return all.every(matches) && !this.search.scopesIn(none).some(matches);
  }
}
