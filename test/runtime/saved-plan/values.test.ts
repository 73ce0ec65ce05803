import fc from "fast-check";
import { UNKNOWN, type Value } from "../../../src/provider/values";
import { decodeValue, encodeValue } from "../../../src/runtime/saved-plan/value-codec";

const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.constant(UNKNOWN),
    fc.boolean(),
    fc.string(),
    fc.integer(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
})).value;

test("a value is read from JSON unchanged, with unknown parts", () => {
  fc.assert(
    fc.property(value, (original) => {
      const json: unknown = JSON.parse(JSON.stringify(encodeValue(original)));
      expect(decodeValue(json as ReturnType<typeof encodeValue>)).toEqual(original);
    }),
  );
});
