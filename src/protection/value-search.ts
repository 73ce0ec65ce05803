import { findLabels, findValue, isUnconstrained, type Wanted } from "./field-search";
import type { PatternList } from "./pattern";
import type { Field } from "./policy";
import { Budget, TextSearch } from "./text-search";

/** Undefined: no value fits. */
export type FieldValue = string | null | readonly string[] | undefined;

/** The values as a list: a workload without a value has none. */
export function valuesOf(value: FieldValue): readonly string[] {
  if (typeof value === "string") return [value];
  return value ?? [];
}

/**
 * Steps of one comparison, counted so that the result is the same on every machine: some seconds of
 * work. Sets of 300 policies that differ in a few stay far below it.
 */
const STEPS_A_COMPARISON = 5_000_000;

const MOST_LISTS_OF_A_KEY = 40;

/** Finds values of single fields. One object serves one comparison, and keeps what it found. */
export class ValueSearch {
  readonly budget = new Budget(STEPS_A_COMPARISON);
  private readonly texts = new TextSearch(this.budget);
  private readonly values = new Map<string, FieldValue>();
  private readonly numbers = new Map<PatternList, number>();

  /** The comparison took too long: all that was not decided stays so. */
  get isExceeded(): boolean {
    return this.budget.isExceeded;
  }

  /** The result of `search`; undefined where that takes too long. */
  within<R>(search: () => R): R | undefined {
    if (this.budget.isExceeded) return undefined;
    try {
      return search();
    } catch (problem) {
      if (this.isExceeded) return undefined;
      throw problem;
    }
  }

  /** Throws where that takes too long. */
  find(field: Field, wanted: Wanted): FieldValue {
    // A key of many lists costs more than it saves: these are rarely looked for again.
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

  /** The same for values that are not looked for again. */
  search(field: Field, wanted: Wanted): FieldValue {
    return field === "labels" ? findLabels(wanted, this.texts) : findValue(wanted, this.texts);
  }

  /** False only where no value fits; true as well where that is too costly to find out. */
  mayHave(field: Field, wanted: Wanted): boolean {
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
