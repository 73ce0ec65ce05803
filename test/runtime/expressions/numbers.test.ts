import fc from "fast-check";
import {
  add,
  formatNumber,
  modulo,
  multiply,
  parseNumber,
  subtract,
} from "../../../src/runtime/expressions/numbers";

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100);

describe("numbers", () => {
  it("are formatted with all digits and parsed back", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatNumber(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(parseNumber(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it("give exact sums, differences and products of cents", () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const [x, y] = [Math.round(a * 100), Math.round(b * 100)];
        expect(add(a, b)).toBe((x + y) / 100);
        expect(subtract(a, b)).toBe((x - y) / 100);
        expect(multiply(a, b)).toBe((x * y) / 10_000 + 0);
        if (y !== 0) expect(modulo(a, b)).toBeCloseTo((x % y) / 100, 10);
      }),
    );
  });

  it.each(["", " 1", "1a", "0x10", "Infinity", "NaN", "1_000", "."])(
    "%j is not a number",
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
    },
  );
});
