/** Positions of corresponding elements; undefined where an element has no counterpart. */
export type Pair = readonly [before: number | undefined, after: number | undefined];

export interface Comparator<T> {
  readonly equal: (a: T, b: T) => boolean;
  /** True for two different elements that can be shown as one changed element. */
  readonly comparable?: (a: T, b: T) => boolean;
  /** Pairs by position where the lists have the same length. Default: true. */
  readonly byPosition?: boolean;
}

/** Tables of more cells take too long; such lists are paired by position. */
const MOST_CELLS = 4_000_000;

/**
 * Pairs the elements of two lists as Terraform does: by position where the lists have the same
 * length and are not the same elements in another order; otherwise by their longest common
 * subsequence, and comparable elements between its members.
 */
export function pairElements<T>(
  before: readonly T[],
  after: readonly T[],
  comparator: Comparator<T>,
): Pair[] {
  const { comparable = () => false, byPosition = true } = comparator;
  const isAligned = byPosition
    ? isReordered(before, after, comparator)
    : before.length * after.length <= MOST_CELLS;
  if (before.length === after.length && !isAligned) {
    return before.map((_, index) => [index, index]);
  }
  const pairs: Pair[] = [];
  let b = 0;
  let a = 0;
  const pairGap = (gapBefore: number, gapAfter: number) => {
    while (b < gapBefore) {
      const [left, right] = [before[b], after[a]];
      const beside =
        a < gapAfter && left !== undefined && right !== undefined && comparable(left, right);
      pairs.push([b, beside ? a : undefined]);
      b += 1;
      if (beside) a += 1;
    }
    for (; a < gapAfter; a += 1) pairs.push([undefined, a]);
  };
  for (const [commonBefore, commonAfter] of commonSubsequence(before, after, comparator)) {
    pairGap(commonBefore, commonAfter);
    pairs.push([b, a]);
    b += 1;
    a += 1;
  }
  pairGap(before.length, after.length);
  return pairs;
}

function isReordered<T>(
  before: readonly T[],
  after: readonly T[],
  { equal }: Comparator<T>,
): boolean {
  if (before.every((element, index) => equal(element, after[index] ?? element))) return false;
  const rest = [...after];
  return before.every((element) => {
    const index = rest.findIndex((candidate) => equal(element, candidate));
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

/** The positions of a longest common subsequence, by dynamic programming. */
function commonSubsequence<T>(
  before: readonly T[],
  after: readonly T[],
  { equal }: Comparator<T>,
): [number, number][] {
  const same = before.map((left) => after.map((right) => equal(left, right)));
  const lengths = same.map(() => new Array<number>(after.length).fill(0));
  const lengthAt = (b: number, a: number) => lengths[b]?.[a] ?? 0;
  same.forEach((row, b) => {
    row.forEach((isSame, a) => {
      const length = isSame
        ? lengthAt(b - 1, a - 1) + 1
        : Math.max(lengthAt(b - 1, a), lengthAt(b, a - 1));
      lengths[b]?.splice(a, 1, length);
    });
  });

  const common: [number, number][] = [];
  let b = before.length - 1;
  let a = after.length - 1;
  while (b >= 0 && a >= 0) {
    if (same[b]?.[a]) common.unshift([b--, a--]);
    else if (lengthAt(b - 1, a) > lengthAt(b, a - 1)) b -= 1;
    else a -= 1;
  }
  return common;
}
