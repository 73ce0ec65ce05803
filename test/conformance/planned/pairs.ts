import fc from "fast-check";

/** The values of each dimension, by its name. */
export type Dimensions = Readonly<Record<string, readonly string[]>>;

/** One value of each dimension. */
export type Row<D extends Dimensions> = { readonly [N in keyof D]: D[N][number] };

const TRIES = 60;

/**
 * Returns possible rows that have every possible pair of values of two dimensions, in the same order in
 * each run. Each row is the best of some random ones.
 */
export function pairwise<D extends Dimensions>(
  dimensions: D,
  isPossible: (row: Row<D>) => boolean,
): readonly Row<D>[] {
  const names = Object.keys(dimensions);
  const open = new Set(
    names.flatMap((one, index) =>
      names
        .slice(index + 1)
        .flatMap((other) =>
          (dimensions[one] ?? []).flatMap((a) =>
            (dimensions[other] ?? []).map((b) => pairOf(one, a, other, b)),
          ),
        ),
    ),
  );
  const anyRow = fc.record(
    Object.fromEntries(
      Object.entries(dimensions).map(([name, values]) => [name, fc.constantFrom(...values)]),
    ),
  );
  const rows: Row<D>[] = [];
  while (open.size > 0) {
    const [first = ""] = open;
    const fixed = JSON.parse(first) as readonly (readonly [string, string])[];
    const candidates = fc
      .sample(anyRow, { seed: rows.length, numRuns: TRIES })
      .map((row) => ({ ...row, ...Object.fromEntries(fixed) }) as Row<D>)
      .filter(isPossible);
    const gains = candidates.map((row) => pairsOf(row).filter((pair) => open.has(pair)));
    const most = Math.max(...gains.map(({ length }) => length));
    const best = candidates.find((_, index) => gains[index]?.length === most);
    // A pair that no candidate has is not possible.
    for (const pair of best ? pairsOf(best) : [first]) open.delete(pair);
    if (best) rows.push(best);
  }
  return rows;
}

function pairsOf(row: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.entries(row);
  return values.flatMap(([one, a], index) =>
    values.slice(index + 1).map(([other, b]) => pairOf(one, a, other, b)),
  );
}

function pairOf(one: string, a: string, other: string, b: string): string {
  return JSON.stringify(
    [
      [one, a],
      [other, b],
    ].sort(),
  );
}
