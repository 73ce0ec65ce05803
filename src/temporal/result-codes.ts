/** Exit codes of `apply` and of `status`, which are also those of a run. */
export const [DONE, FAILED, PERSON_NEEDED, WEAKER, INTERRUPTED] = [0, 1, 2, 3, 130];

/** Exit codes of what was read, the worst first. A status has them in this order, too. */
const BY_RANK = [WEAKER, FAILED, PERSON_NEEDED, DONE];

/** Returns the worst of the exit codes of parts of what was read. */
export function worst(...codes: readonly (number | undefined)[]): number {
  return BY_RANK.find((code) => codes.includes(code)) ?? FAILED;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [DONE, "completed"],
  [PERSON_NEEDED, "attention"],
  [WEAKER, "weaker"],
  [INTERRUPTED, "stopped"],
]);

/** The value of the search attribute for an exit code. */
export function resultName(code: number): string {
  return NAMES.get(code) ?? "failed";
}
