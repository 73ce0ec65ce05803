import type { RunRecord } from "./read-run-log";

/** The stacks of a run, divided for the one that resumes it. */
export interface LeftToDo<S> {
  /** Not applied, or not completely, in the order of `selected`. */
  readonly left: readonly S[];
  /** Applied completely, whatever is selected now. */
  readonly done: readonly string[];
  /** Not applied completely, and not selected now, or no longer in the app. */
  readonly missing: readonly string[];
}

/** Divides the stacks of an earlier run. Selected stacks that it did not have are left out. */
export function leftToDo<S extends { readonly name: string }>(
  { stacks, done }: Pick<RunRecord, "stacks" | "done">,
  selected: readonly S[],
): LeftToDo<S> {
  const known = new Set(stacks);
  const names = new Set(selected.map(({ name }) => name));
  return {
    left: selected.filter(({ name }) => known.has(name) && !done.has(name)),
    done: stacks.filter((name) => done.has(name)),
    missing: stacks.filter((name) => !done.has(name) && !names.has(name)),
  };
}
