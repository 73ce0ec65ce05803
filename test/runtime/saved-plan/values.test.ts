import fc from "fast-check";
import { z } from "zod";
import { exactNumber, UNKNOWN, type Value } from "../../../src/core/values";
import { formatFile, parseFile } from "../../../src/runtime/saved-plan/file";
import { fileValue } from "../../../src/runtime/saved-plan/value-codec";

const digits = fc
  .tuple(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.stringMatching(/^\d{0,40}$/))
  .map(([whole, fraction]) => exactNumber(fraction === "" ? `${whole}` : `${whole}.${fraction}`));

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.constant(UNKNOWN),
    fc.constant(-0),
    fc.boolean(),
    fc.string(),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    digits,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("__proto__", "value", "isLosslessNumber")),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

/** Writes a plan file with a value, and reads it. */
function reread(original: Value): Value {
  const { parts = [] } = parseFile(formatFile([z.encode(fileValue, original)], "test"), "p");
  return fileValue.parse(parts[0]);
}

test("a value is read from a plan file unchanged, with unknown parts", () => {
  fc.assert(
    fc.property(value, (original) => {
      expect(reread(original)).toEqual(original);
    }),
  );
});
