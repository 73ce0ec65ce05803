import fc from "fast-check";
import { diffEntries } from "../../../src/review/entries/compare-entries";
import { orderColumns, type Slot } from "../../../src/review/html/order-picture";
import { policy, policyChange } from "../entries/changes";

function columns(before: readonly string[], after: readonly string[], ownership = "exclusive") {
  const [diff] = diffEntries(
    policyChange(
      before.map((name) => policy(name)),
      after.map((name) => policy(name)),
      { object: { ownership } },
    ),
  );
  const { before: left, after: right } = orderColumns(diff!);
  return { before: left.map(inBrief), after: right.map(inBrief) };
}

function inBrief(slot: Slot): string {
  if (slot.kind === "entry") return slot.entry.name ?? "";
  return slot.kind === "fold" ? `fold of ${slot.count}` : "others";
}

describe("the columns of an order", () => {
  test("fold unchanged neighbours into one slot in both columns", () => {
    expect(columns(["a", "b", "c", "d", "e"], ["e", "a", "b", "c", "d"])).toEqual({
      before: ["fold of 4", "e"],
      after: ["e", "fold of 4"],
    });
    // Two neighbours are not folded, and an added or removed entry separates its neighbours.
    expect(columns(["a", "b", "x", "c", "d", "e"], ["a", "b", "c", "d", "e", "y"])).toEqual({
      before: ["a", "b", "x", "fold of 3"],
      after: ["a", "b", "fold of 3", "y"],
    });
  });

  test("place unmanaged entries where they stay", () => {
    expect(columns(["a"], ["b"], "prefix").after).toEqual(["b", "others"]);
    expect(columns(["a"], ["b"], "suffix").before).toEqual(["others", "a"]);
  });

  test("contain every entry once, and the same folds on both sides", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), {
      minLength: 1,
    });
    const counted = (slots: readonly string[]) =>
      slots.reduce((sum, slot) => sum + Number(/^fold of (\d+)$/.exec(slot)?.[1] ?? 1), 0);
    const folds = (slots: readonly string[]) => slots.filter((slot) => slot.length > 1).sort();
    fc.assert(
      fc.property(names, names, (before, after) => {
        const drawn = columns(before, after);
        expect(counted(drawn.before)).toBe(before.length);
        expect(counted(drawn.after)).toBe(after.length);
        expect(folds(drawn.before)).toEqual(folds(drawn.after));
      }),
    );
  });
});
