/** Returns ` Did you mean "triggers"?` with a leading blank, or "" if no candidate is similar. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const best = nearest(given, candidates);
  return best === undefined ? "" : ` Did you mean ${JSON.stringify(best)}?`;
}

/** The comparison of long names takes long. */
const MOST_NAME_CHARACTERS = 200;

/** Returns the candidate that is most similar, in any case; undefined if none is similar. */
export function nearest(given: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(given.length / 3));
  const lower = given.toLowerCase();
  const [best] = candidates
    .filter(
      ({ length }) => Math.abs(length - given.length) <= limit && length <= MOST_NAME_CHARACTERS,
    )
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** Returns the number of letters to insert, to remove, to replace or to swap with the next one. */
function editDistance(a: string, b: string): number {
  let last: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && a[row - 2] === b[column - 1] && a[row - 1] === b[column - 2];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (last[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    last = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
