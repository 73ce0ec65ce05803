import fc from "fast-check";
import { findMoves } from "../../../src/review/entries/compare-entries";

const permutations = fc
  .nat({ max: 9 })
  .chain((size) => fc.shuffledSubarray([...Array(size).keys()], { minLength: size }));

/** The length of the longest ascending subsequence, by trying all of them. */
function longestAscending(numbers: readonly number[]): number {
  const from = (start: number, least: number): number =>
    numbers
      .slice(start)
      .reduce(
        (best, number, index) =>
          number > least ? Math.max(best, 1 + from(start + index + 1, number)) : best,
        0,
      );
  return from(0, -1);
}

test("moves as few elements as possible, and keeps the others in order", () => {
  fc.assert(
    fc.property(permutations, (positions) => {
      const moves = findMoves(positions);
      expect(moves.size).toBe(positions.length - longestAscending(positions));
      const stay = positions.filter((position) => !moves.has(position));
      expect(stay).toEqual([...stay].sort((a, b) => a - b));
    }),
  );
});

test("counts an element that changes ends as one move", () => {
  const positions = [...Array(200).keys()];
  expect([...findMoves([...positions.slice(1), 0])]).toEqual([0]);
  expect([...findMoves([199, ...positions.slice(0, -1)])]).toEqual([199]);
});
