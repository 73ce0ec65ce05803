/** What the process tells whoever started it. */
export const ExitCode = {
  /** Done, or nothing to do. */
  DONE: 0,
  ERROR: 1,
  /** There are changes; with `--detailed-exitcode` only. */
  CHANGES: 2,
  INTERRUPTED: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
