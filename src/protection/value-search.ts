import { findLabels, findValue, isUnconstrained, type WantedFields } from "./field-search";
import type { PatternList } from "./pattern";
import type { Field } from "./policy";
import { Budget, TextSearch } from "./text-search";

/** Null or an empty list for a workload without a value; undefined if no value fits. */
export type FieldValue = string | null | readonly string[] | undefined;

/** Returns the values as a list, which is empty for a workload without a value. */
export function valuesOf(value: FieldValue): readonly string[] {
  if (typeof value === "string") return [value];
  return value ?? [];
}

/**
 * The limit of one comparison, some seconds of work. It counts steps, so that results are the same on
 * every machine. Sets of 300 policies that differ in a few stay far below it.
 */
const STEPS_A_COMPARISON = 5_000_000;

const MOST_LISTS_OF_A_KEY = 40;

/** Finds values of single fields. Each comparison has its own search, which caches results. */
export class ValueSearch {
  readonly budget = new Budget(STEPS_A_COMPARISON);
  private readonly texts = new TextSearch(this.budget);
  private readonly values = new Map<string, FieldValue>();
  private readonly numbers = new Map<PatternList, number>();

  get isExceeded(): boolean {
    return this.budget.isExceeded;
  }

  /** Returns the result of `search`; undefined if that takes too long. */
  within<R>(search: () => R): R | undefined {
    if (this.budget.isExceeded) return undefined;
    try {
      return search();
    } catch (problem) {
      if (this.isExceeded) return undefined;
      throw problem;
    }
  }

  /** Finds a value that fits. Throws if that takes too long. */
  find(field: Field, wanted: WantedFields): FieldValue {
    // Searches with many lists are rarely repeated, and their keys are long.
    const isShort = wanted.outside.length <= MOST_LISTS_OF_A_KEY;
    if (!isShort || isUnconstrained(wanted)) return this.search(field, wanted);
    const kind = field === "labels" ? "labels" : "value";
    const key = `${kind} ${this.numbersOf(wanted.inside)} - ${this.numbersOf(wanted.outside)}`;
    const known = this.values.get(key);
    if (known !== undefined || this.values.has(key)) return known;
    const value = this.search(field, wanted);
    this.values.set(key, value);
    return value;
  }

  /** Finds a value without the cache. */
  search(field: Field, wanted: WantedFields): FieldValue {
    return field === "labels" ? findLabels(wanted, this.texts) : findValue(wanted, this.texts);
  }

  /** Returns false only if no value fits; true also if the search takes too long. */
  mayHave(field: Field, wanted: WantedFields): boolean {
    return this.within(() => this.find(field, wanted) !== undefined) ?? true;
  }

  private numbersOf(lists: readonly PatternList[]): string {
    const numbers = lists.map((list) => {
      const number = this.numbers.get(list) ?? this.numbers.size;
      this.numbers.set(list, number);
      return number;
    });
    return numbers.sort((one, other) => one - other).join();
  }
}
