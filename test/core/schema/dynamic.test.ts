import { z } from "zod";
import { anything, optional, string } from "../../../src/core/schema/attribute";
import { decodeObject } from "../../../src/core/schema/decode";
import {
  dynamicTypeOf,
  encodeDynamics,
  plainDynamics,
  sameDynamic,
  withDynamicType,
} from "../../../src/core/schema/dynamic";
import { encodeType } from "../../../src/core/type-json";
import { ANY, STRING, type Type } from "../../../src/core/types";
import { isNullValue, valuesEqual } from "../../../src/core/values";
import { fileValue } from "../../../src/runtime/saved-plan/value-codec";

const STRINGS: Type = { kind: "list", element: STRING };

const attributes = {
  id: optional(string(), "An ID."),
  input: optional(anything(), "A value of any type."),
};

describe("a value of any type", () => {
  const stored = { id: "1", input: { value: ["a", "b"], type: ["list", "string"] } };

  test("is read from a state and written to it with its type", () => {
    const { value, diagnostics } = decodeObject(attributes, stored);
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({ id: "1", input: ["a", "b"] });
    expect(dynamicTypeOf(value.input ?? null)).toEqual(STRINGS);
    expect(encodeDynamics(attributes, { id: "1", input: withDynamicType(["a"], ANY) })).toEqual({
      id: "1",
      input: { value: ["a"], type: "dynamic" },
    });
  });

  test("is refused in a state without a type", () => {
    const { diagnostics } = decodeObject(attributes, { id: "1", input: ["a"] });
    expect(diagnostics.map(({ path }) => path)).toEqual([["input"]]);
  });

  test("is shown without its type", () => {
    expect(plainDynamics(attributes, stored)).toEqual({ id: "1", input: ["a", "b"] });
    expect(plainDynamics(attributes, { id: "1", input: null })).toEqual({ id: "1", input: null });
  });

  test("keeps its type in a saved plan", () => {
    const value = { input: withDynamicType({ a: ["x"] }, { kind: "map", element: STRINGS }) };
    const restored = fileValue.parse(z.encode(fileValue, value));
    expect(restored).toEqual({ input: { a: ["x"] } });
    expect(dynamicTypeOf((restored as typeof value).input)).toEqual({
      kind: "map",
      element: STRINGS,
    });
  });

  test("has the type of its JSON where none was given", () => {
    expect(encodeType(dynamicTypeOf({ a: [1, null] }))).toEqual([
      "object",
      { a: ["tuple", ["number", "dynamic"]] },
    ]);
  });

  test("keeps the type of a null in a state, in a saved plan and beside others", () => {
    const none = { id: "1", input: { value: null, type: ["list", "string"] } };
    const { value } = decodeObject(attributes, none);
    expect(isNullValue(value.input)).toBe(true);
    expect(encodeDynamics(attributes, value)).toEqual(none);
    expect(encodeDynamics(attributes, { input: null })).toEqual({ input: null });
    const saved: unknown = JSON.parse(JSON.stringify(z.encode(fileValue, value)));
    expect(fileValue.parse(saved)).toEqual(value);
    expect(valuesEqual(value.input ?? null, null)).toBe(true);
    expect(sameDynamic(value.input ?? null, null)).toBe(false);
  });

  test("has a type in which the order of members does not count", () => {
    expect(sameDynamic({ a: 1, b: "x" }, { b: "x", a: 1 })).toBe(true);
    expect(sameDynamic(["x"], withDynamicType(["x"], STRINGS))).toBe(false);
  });
});
