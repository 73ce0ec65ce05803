/**
 * Finds the fewest elements of a permutation that have to move to make it ascending: all except one
 * of its longest ascending subsequences. `positions` must be distinct.
 */
export function findMoves(positions: readonly number[]): ReadonlySet<number> {
  const stay = longestAscending(positions);
  return new Set(positions.filter((position) => !stay.has(position)));
}

/** Patience sorting, in O(n log n). */
function longestAscending(numbers: readonly number[]): ReadonlySet<number> {
  /** By length - 1: the index of the smallest number that ends an ascending subsequence of it. */
  const ends: number[] = [];
  /** By index: the index of the number before it in its subsequence. */
  const previous: (number | undefined)[] = [];
  numbers.forEach((number, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous.push(ends[low - 1]);
    ends[low] = index;
  });
  const longest = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) {
    longest.add(numbers[index] ?? 0);
  }
  return longest;
}
