import { key, withNote } from "../../core/notes";
import type { StackPlan } from "../../core/documents/stack-plan";
import { printable } from "../../core/printed";
import type { LiveReading } from "./live-reading";

/** Titles of checks, by ID. */
export type CheckTitles = ReadonlyMap<string, string>;

/** The titles that reviews of a change show with the IDs of checks. */
export const CHECK_TITLES = key<CheckTitles>("check titles");

/** Adds titles to plans that change policies. */
export function withCheckTitles(
  plans: readonly StackPlan[],
  checkTitles: CheckTitles,
): readonly StackPlan[] {
  if (checkTitles.size === 0) return plans;
  const titled = (changes: StackPlan["changes"]) =>
    changes.map((change) => withNote(change, CHECK_TITLES, checkTitles));
  return plans.map((plan) => ({
    ...plan,
    changes: titled(plan.changes),
    drift: titled(plan.drift),
  }));
}

interface Titled {
  readonly titles: CheckTitles;
  readonly live?: LiveReading | undefined;
}

/** The titles of a review, and for other checks those in the results of the console. */
export function titlesOf({ titles, live }: Titled): CheckTitles {
  const found = live?.counts?.changes ?? [];
  return new Map([
    ...found.flatMap(({ id, title }) => (title === undefined ? [] : [[id, title] as const])),
    ...titles,
  ]);
}

/** `599 (runs as root)` */
export function describeCheck(id: string, titles: CheckTitles): string {
  const title = titles.get(id);
  return title === undefined ? printable(id) : `${printable(id)} (${printable(title)})`;
}
