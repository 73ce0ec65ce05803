/**
 * A set of indexes from 0, as the bits of one number: sets of hundreds of scopes are combined at once,
 * by operators that Node runs without compiling them first.
 */
export type IndexSet = bigint;

/** The indexes in a set, ascending. */
export function indexesIn(set: IndexSet): readonly number[] {
  const bits = set.toString(2);
  const found: number[] = [];
  for (let at = bits.indexOf("1"); at >= 0; at = bits.indexOf("1", at + 1))
    found.push(bits.length - 1 - at);
  return found.reverse();
}
