/** Suites have a thousandth of the cost that `src/runtime/saved-plan/seal-cost.ts` sets. */
export const SEAL_COST = { N: 2 ** 7, r: 8, p: 1 };
