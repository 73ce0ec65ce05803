/** Exit codes of the program. */
export const ExitCode = {
  /** Done, or nothing to do. */
  DONE: 0,
  ERROR: 1,
  /** Changes, with `--detailed-exitcode`; or breaks that `upgrade` found. */
  CHANGES: 2,
  /** Protection gets weaker, with `--fail-on weaker`. */
  WEAKER: 3,
  INTERRUPTED: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
