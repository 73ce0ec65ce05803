import { findLabels, findValue, type Wanted } from "./field-search";
import type { PatternList } from "./pattern";
import type { Field } from "./policy";
import { Budget } from "./text-search";

/** Undefined: no value fits. */
export type FieldValue = string | null | readonly string[] | undefined;

/**
 * Steps of one search over the fields' texts. Sets of 300 policies stay far below it; a search that
 * needs more ends undecided.
 */
const STEPS_A_SEARCH = 200_000;

/** Finds values of single fields. One object serves one comparison, and keeps what it found. */
export class ValueSearch {
  private readonly values = new Map<string, FieldValue>();
  private readonly numbers = new Map<PatternList, number>();

  /** The result of `search`; undefined where that takes too long. */
  static within<R>(search: (budget: Budget) => R): R | undefined {
    const budget = new Budget(STEPS_A_SEARCH);
    try {
      return search(budget);
    } catch (problem) {
      if (budget.isExceeded) return undefined;
      throw problem;
    }
  }

  find(field: Field, wanted: Wanted, budget: Budget): FieldValue {
    const kind = field === "labels" ? "labels" : "value";
    const key = `${kind} ${this.numbersOf(wanted.inside)} - ${this.numbersOf(wanted.outside)}`;
    const known = this.values.get(key);
    if (known !== undefined || this.values.has(key)) return known;
    const value = kind === "labels" ? findLabels(wanted, budget) : findValue(wanted, budget);
    this.values.set(key, value);
    return value;
  }

  /** False only where no value fits; true as well where that is too costly to find out. */
  mayHave(field: Field, wanted: Wanted): boolean {
    const found = ValueSearch.within((budget) => this.find(field, wanted, budget) !== undefined);
    return found ?? true;
  }

  private numbersOf(lists: readonly PatternList[]): string {
    if (lists.length === 0) return "";
    const numbers = lists.map((list) => {
      const number = this.numbers.get(list) ?? this.numbers.size;
      this.numbers.set(list, number);
      return number;
    });
    return numbers.sort((one, other) => one - other).join();
  }
}
