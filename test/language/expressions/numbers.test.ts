import { formatNumber } from "../../../src/core/json/format-number";
import { faultsOf, valueOf } from "./scope";
import fc from "fast-check";
import { ExactNumber, type NumberValue } from "../../../src/core/values";
import {
  add,
  compareNumbers,
  divide,
  modulo,
  multiply,
  parseNumber,
  subtract,
} from "../../../src/language/expressions/numbers";

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100);
const integers = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n });

/** The product and the remainder of bigints have no negative zero. */
function withoutSign(value: NumberValue): string {
  return formatNumber(value).replace(/^-0$/, "0");
}

describe("numbers", () => {
  test("are formatted with all digits and parsed back", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatNumber(value);
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        const parsed = parseNumber(text);
        expect(parsed === undefined ? undefined : formatNumber(parsed)).toBe(text);
      }),
    );
  });

  test("add up cents as decimals, up to the last of 512 bits", () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        const [x, y] = [Math.round(a * 100), Math.round(b * 100)];
        for (const [result, expected] of [
          [add(a, b), (x + y) / 100],
          [subtract(a, b), (x - y) / 100],
          [multiply(a, b), (x * y) / 10_000],
        ] as const) {
          const error = subtract(result, expected);
          expect(compareNumbers(error, 1e-140)).toBeLessThan(0);
          expect(compareNumbers(error, -1e-140)).toBeGreaterThan(0);
        }
      }),
    );
  });

  test("are exact integers up to 512 bits", () => {
    fc.assert(
      fc.property(integers, integers, (a, b) => {
        const [x, y] = [parseNumber(String(a)) ?? 0, parseNumber(String(b)) ?? 0];
        expect(formatNumber(add(x, y))).toBe(String(a + b));
        expect(withoutSign(multiply(x, y))).toBe(String(a * b));
        expect(Math.sign(compareNumbers(x, y))).toBe(a === b ? 0 : a < b ? -1 : 1);
        if (b !== 0n) expect(withoutSign(modulo(x, y))).toBe(String(a % b));
      }),
    );
  });

  test("keep the sign of a zero", () => {
    expect(formatNumber(parseNumber("-0.0") ?? 1)).toBe("-0");
    expect(formatNumber(multiply(0, -5))).toBe("-0");
    expect(formatNumber(divide(0, parseNumber("-9007199254740993") ?? 1))).toBe("-0");
    expect(formatNumber(add(-0, 0))).toBe("0");
  });

  test("are plain wherever JavaScript's number has the same digits", () => {
    expect(parseNumber("9007199254740991")).toBe(9007199254740991);
    expect(parseNumber("9007199254740993")).toBeInstanceOf(ExactNumber);
    expect(add(0.1, 0.2)).toBe(0.3);
    expect(divide(1, 8)).toBe(0.125);
    expect(divide(1, 3)).toBeInstanceOf(ExactNumber);
  });

  test.each(["", " 1", "1a", "0x10", "Infinity", "NaN", "1_000", "."])(
    "%j is not a number",
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
    },
  );
});

test("a division by zero is an error that neither try nor can catches, as it is infinite", async () => {
  for (const hcl of ["1/0", "can(1/0)", 'try(1/0, "x")', 'try(try(-1/0, 1), "x")']) {
    expect(await faultsOf(`\${${hcl}}`)).toEqual([expect.stringMatching(/^Division by zero: /)]);
  }
  for (const hcl of ["can(pow(0, -1))", "try(log(0, 10), 1)", "can(pow(10, 400))"]) {
    const [fault] = await faultsOf(`\${${hcl}}`);
    expect(fault).toMatch(/^Unsupported function call: .*finite numbers only/);
  }
  expect(await valueOf("${can(0/0)}")).toBe(false);
  expect(await valueOf("${can(pow(-8, 0.5))}")).toBe(false);
  expect(await valueOf("${true ? 1 : 1/0}")).toBe(1);
});
