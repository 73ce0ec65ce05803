import fc from "fast-check";
import { pairElements } from "../../../src/formats/difference/sequence";

const equal = (a: number, b: number) => a === b;
const lists = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 8 });

test("puts every element of both lists in exactly one pair, in order", () => {
  fc.assert(
    fc.property(lists, lists, fc.boolean(), (before, after, comparable) => {
      const pairs = pairElements(before, after, { equal, comparable: () => comparable });
      const column = (side: 0 | 1) => pairs.flatMap((pair) => pair[side] ?? []);
      expect(column(0)).toEqual(before.map((_, index) => index));
      expect(column(1)).toEqual(after.map((_, index) => index));
    }),
  );
});

test("pairs every other element with itself after an insertion", () => {
  fc.assert(
    fc.property(lists, fc.nat({ max: 8 }), (before, position) => {
      const at = Math.min(position, before.length);
      const after = [...before.slice(0, at), 99, ...before.slice(at)];
      const pairs = pairElements(before, after, { equal });
      expect(pairs.filter(([b]) => b === undefined)).toEqual([[undefined, at]]);
      for (const [b, a] of pairs) if (b !== undefined) expect(after[a!]).toBe(before[b]);
    }),
  );
});
