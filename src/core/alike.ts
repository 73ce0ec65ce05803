/** The most results to keep: the stacks of a factory have few parts that differ. */
import { memberOf } from "./member-of";
const MOST_RESULTS = 10_000;

/**
 * Results by the text that they were read from. Stacks that come from one factory have the same text
 * in many places: it is read once, and they share the result, which nobody may change.
 */
export class ResultsByText<Result> {
  private readonly results = new Map<string, Result>();

  get(text: string): Result | undefined {
    return this.results.get(text);
  }

  set(text: string, result: Result): void {
    if (this.results.size === MOST_RESULTS) this.results.clear();
    this.results.set(text, result);
  }
}

/** Makes a pure function compute its result once for each object. */
export function onceForEach<Key extends object, Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.result;
    const result = compute(key);
    results.set(key, { result });
    return result;
  };
}

/** Makes a pure function of two objects compute its result once for each pair. */
export function onceForPairs<One extends object, Other extends object, Result>(
  compute: (one: One, other: Other) => Result,
): (one: One, other: Other) => Result {
  const ofOne = onceForEach((one: One) => onceForEach((other: Other) => compute(one, other)));
  return (one, other) => ofOne(one)(other);
}

/**
 * Makes the values that belong to one object share the first of those that are alike: what comes
 * from the consoles of a factory's stacks is often the same.
 */
export function sharedForEach<Value extends object>(): (key: object, value: Value) => Value {
  const firsts = new WeakMap<object, Value>();
  return (key, value) => {
    const first = firsts.get(key);
    if (!first) firsts.set(key, value);
    return first && isAlike(first, value) ? first : value;
  };
}

/**
 * Reports whether two results have the same members, down to the same primitives. Objects other than
 * lists and records are alike if they are the same, and so are those that carry a type.
 */
export function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isAlike(memberOf(one, name), memberOf(other, name)),
    )
  );
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isRecord = prototype === Object.prototype || prototype === Array.prototype;
  return isRecord && Object.getOwnPropertySymbols(value).length === 0;
}
