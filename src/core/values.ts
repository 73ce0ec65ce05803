import { memberOf } from "./member-of";
import { acrossBundles } from "./across-bundles";
import { formatNumber } from "./json/format-number";
import { compareDigits, LosslessNumber } from "./json/lossless-json";
import type { Type } from "./types";

/**
 * A value that is unknown until apply, at any depth of a value.
 *
 * Values are Terraform's values as plain JavaScript: lists, sets (see `canonicalSet`) and tuples
 * are arrays, maps and objects are records. Schemas and the executor track sensitivity. The symbol
 * is global, since several files of the bundle contain this module.
 */
export const UNKNOWN: unique symbol = Symbol.for("cdktf-console: unknown");
export type Unknown = typeof UNKNOWN;

/** Marks the values that are instances of a class, which are no objects: one look finds out. */
const WHOLE: unique symbol = Symbol.for("cdktf-console: whole value");

function isWhole(one: { readonly prototype: object }): void {
  Object.defineProperty(one.prototype, WHOLE, { value: true });
}

/** A number that JavaScript's would not hold exactly, such as an integer beyond 2^53. */
export class ExactNumber extends LosslessNumber {
  static {
    acrossBundles(this, "ExactNumber");
    isWhole(this);
  }

  /**
   * @param digits Decimal digits, as Terraform shows and stores them.
   * @param precision Bits of the binary number.
   * @param exact All digits of the binary number, if there are more.
   */
  constructor(
    digits: string,
    readonly precision = 512,
    readonly exact = digits,
  ) {
    super(digits);
  }
}
export type NumberValue = number | ExactNumber;

/** Reads the digits of a JSON number: a plain number if that loses nothing. */
export function exactNumber(digits: string): NumberValue {
  const number = Number(digits);
  if (String(number) === digits) return number;
  return Number.isFinite(number) && compareDigits(String(number), digits) === 0
    ? number
    : new ExactNumber(digits);
}

/** A null that carries its type: see `withType`. */
export class TypedNull {
  static {
    acrossBundles(this, "TypedNull");
    isWhole(this);
  }

  constructor(readonly type: Type) {}

  toJSON(): null {
    return null;
  }
}

/** The known part of an unknown value, in the terms of cty's refinements. */
export interface Range {
  readonly notNull?: boolean;
  /** The start of a string. */
  readonly prefix?: string;
  /** Bounds of the length of a collection, or of a number. */
  readonly minimum?: NumberValue;
  readonly maximum?: NumberValue;
}

/** An unknown value that carries its type. */
export class TypedUnknown {
  static {
    acrossBundles(this, "TypedUnknown");
    isWhole(this);
  }

  constructor(
    readonly type: Type,
    readonly range: Range = {},
  ) {}
}

export type Primitive = null | TypedNull | boolean | NumberValue | string;
export type Value = Primitive | Unknown | TypedUnknown | readonly Value[] | ObjectValue;
export interface ObjectValue {
  readonly [key: string]: Value;
}

/**
 * Sensitive values are not printed; ephemeral ones are also never stored in a plan or a state. Hidden
 * ones came from another stack, where they are sensitive: they are not printed, and nothing else
 * follows.
 */
export interface Marks {
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly hidden: boolean;
}

/** A value that carries marks. These never nest directly: `mark` merges them. */
export class Marked implements Marks {
  static {
    acrossBundles(this, "Marked");
    isWhole(this);
  }

  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly hidden: boolean;

  constructor(
    readonly value: Unmarked,
    { sensitive, ephemeral, hidden }: Marks,
    /** True for an integer with which Terraform calculates in 64 bits, instead of 512. */
    readonly short = false,
  ) {
    this.sensitive = sensitive;
    this.ephemeral = ephemeral;
    this.hidden = hidden;
  }
}

/** A value of which each part may carry marks, as the results of expressions. */
export type Evaluated = Unmarked | Marked;
/** The same, without marks at its root. */
export type Unmarked = Primitive | Unknown | TypedUnknown | readonly Evaluated[] | EvaluatedObject;
export interface EvaluatedObject {
  readonly [key: string]: Evaluated;
}

/** A value without an unknown one at any depth. */
export type KnownValue = Primitive | readonly KnownValue[] | KnownObject;
export interface KnownObject {
  readonly [key: string]: KnownValue;
}

/** A value as JSON. */
export type PlainValue = Exclude<Primitive, TypedNull> | readonly PlainValue[] | PlainObject;
export interface PlainObject {
  readonly [key: string]: PlainValue;
}

/** A path in a value: attribute names and map keys as strings, list and set indexes as numbers. */
export type AttributePath = readonly (string | number)[];

export function isObjectValue<V extends Evaluated | undefined>(
  value: V,
): value is Extract<V, EvaluatedObject> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(WHOLE in value);
}

export function isUnknownValue(value: Evaluated | undefined): value is Unknown | TypedUnknown {
  return value === UNKNOWN || value instanceof TypedUnknown;
}

export function isNullValue(value: Evaluated | undefined): value is null | TypedNull {
  return value === null || value instanceof TypedNull;
}

export function isNumberValue(value: unknown): value is NumberValue {
  return typeof value === "number" || value instanceof ExactNumber;
}

/** Reports whether a value is a list, a set or a tuple. */
export function isListValue<V extends Evaluated | undefined>(
  value: V,
): value is Extract<V, readonly unknown[]> {
  return Array.isArray(value);
}

/** Reports whether all values at any depth that have no parts pass a test. */
function everyLeaf(value: Evaluated, test: (leaf: Evaluated) => boolean): boolean {
  if (typeof value !== "object" || value === null) return test(value);
  if (!isListValue(value) && !isObjectValue(value)) {
    return value instanceof Marked ? everyLeaf(value.value, test) : test(value);
  }
  for (const part of isListValue(value) ? value : Object.values(value)) {
    if (!everyLeaf(part, test)) return false;
  }
  return true;
}

export function isWhollyKnown(value: Value): value is KnownValue;
export function isWhollyKnown(value: Evaluated): boolean;
export function isWhollyKnown(value: Evaluated): boolean {
  return everyLeaf(value, (leaf) => !isUnknownValue(leaf));
}

/** Reports whether a value contains a number that a provider would round. */
export function hasExactNumber(value: Value): boolean {
  return !everyLeaf(value, (leaf) => !(leaf instanceof ExactNumber));
}

/** Reports whether a value is JSON: known, and without a null that has a type. */
export function isPlain(value: ObjectValue): value is PlainObject;
export function isPlain(value: Value): value is PlainValue;
export function isPlain(value: Value): boolean {
  return everyLeaf(value, (leaf) => !isUnknownValue(leaf) && !(leaf instanceof TypedNull));
}

/**
 * Compares deeply. Unknown values of any type are equal, and so are nulls and absent members. Numbers are
 * equal if their values or their decimal digits are, as in cty.
 */
export function valuesEqual(a: Value, b: Value): boolean {
  if (a === b || (isNullValue(a) && isNullValue(b))) return true;
  if (isUnknownValue(a)) return isUnknownValue(b);
  if (isNumberValue(a) && isNumberValue(b)) {
    return compareExact(a, b) === 0 || formatNumber(a) === formatNumber(b);
  }
  if (isListValue(a) && isListValue(b)) {
    return a.length === b.length && a.every((item, index) => valuesEqual(item, b[index] ?? null));
  }
  if (isObjectValue(a) && isObjectValue(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) =>
      valuesEqual(memberOf(a, key) ?? null, memberOf(b, key) ?? null),
    );
  }
  return false;
}

/** Compares as UTF-8 bytes, as Terraform orders the strings of a set and the keys of a map. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = utf8Rank(a.charCodeAt(index)) - utf8Rank(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Returns the keys in Terraform's order. */
export function sortedKeys(value: { readonly [key: string]: unknown }): readonly string[] {
  return Object.keys(value).sort(compareStrings);
}

/** Ranks surrogates after all other characters, as in UTF-8. */
function utf8Rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Returns the first of all values that are equal, in their order. Takes linear time for strings. */
export function withoutRepetitions(values: readonly Value[]): readonly Value[] {
  const strings = new Set<string>();
  const others: Value[] = [];
  return values.filter((value) => {
    if (typeof value === "string") return strings.size < strings.add(value).size;
    if (others.some((other) => valuesEqual(other, value))) return false;
    others.push(value);
    return true;
  });
}

/**
 * Sorts a set in Terraform's order without repetitions: unknown elements and null are last. Elements
 * with unknown parts may be equal or not, so each of them stays. A zero and a negative zero are two
 * elements.
 */
export function canonicalSet(elements: readonly Value[]): readonly Value[] {
  const byKey = new Map<string, Value[]>();
  for (const element of elements) {
    const key = sortKey(element);
    const alike = byKey.get(key) ?? [];
    if (!isWhollyKnown(element) || !alike.some((one) => valuesEqual(one, element))) {
      byKey.set(key, [...alike, element]);
    }
  }
  return [...byKey.values()].flat().sort((a, b) => {
    if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
    if (isNumberValue(a) && isNumberValue(b)) return compareExact(a, b) || signOf(a) - signOf(b);
    return rank(a) - rank(b) || compareStrings(sortKey(a), sortKey(b));
  });
}

function compareExact(a: NumberValue, b: NumberValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareDigits(
    a instanceof ExactNumber ? a.exact : String(a),
    b instanceof ExactNumber ? b.exact : String(b),
  );
}

/** Ranks a negative zero before a zero. */
function signOf(number: NumberValue): number {
  return Object.is(number, -0) ? -1 : 0;
}

function rank(value: Value): number {
  if (isNullValue(value)) return 2;
  return isUnknownValue(value) ? 1 : 0;
}

/** The text by which cty orders the lists and objects of a set. */
function sortKey(value: Value): string {
  if (isUnknownValue(value)) return "?";
  if (isNullValue(value)) return "~";
  if (typeof value === "boolean") return value ? "T" : "F";
  if (Object.is(value, -0)) return "-0";
  if (isNumberValue(value)) return generalDigits(String(value));
  if (isListValue(value)) return `[${value.map((one) => `${sortKey(one)};`).join("")}]`;
  if (!isObjectValue(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort(compareStrings);
  const members = names.map(
    (name) => `${JSON.stringify(name)}:${sortKey(memberOf(value, name) ?? null)};`,
  );
  return `{${members.join("")}}`;
}

/** Ten digits of a number, with an exponent where it is a large or a small one, as `%.10g` of Go. */
function generalDigits(digits: string): string {
  const [coefficient = "", power = "0"] = Number(digits).toExponential(9).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 10) return String(Number(`${coefficient}e${exponent}`));
  const sign = exponent < 0 ? "-" : "+";
  return `${Number(coefficient)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Gets the value at a path; null if there is none, `UNKNOWN` inside an unknown. */
export function valueAt(value: Value, path: AttributePath): Value {
  let current: Value = value;
  for (const step of path) {
    if (isUnknownValue(current)) return UNKNOWN;
    if (isListValue(current) && typeof step === "number") current = current[step] ?? null;
    else if (isObjectValue(current)) current = memberOf(current, String(step)) ?? null;
    else return null;
  }
  return current;
}
