import type { Requirement } from "./requirement";

/** Promises that have cheaper proofs too, or that hardly any change can break. */
export const LONG_TESTS: Requirement = {
  isMet: Boolean(process.env.LONG_TESTS),
  reason: "npm run test:long runs it",
};

/**
 * The number of cases of a property: `few` with the other tests, and 20 times as many with
 * `LONG_TESTS=1`, as `npm run test:long` has it.
 */
export function cases(few: number): number {
  return process.env.LONG_TESTS ? few * 20 : few;
}
