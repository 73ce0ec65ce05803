/** True with `npm run test:long`, which also runs what has a cheaper proof, or what hardly any change can break. */
export const LONG_TESTS = Boolean(process.env.LONG_TESTS);

/** The number of cases of a property: `few` with the other tests, and 20 times as many with LONG_TESTS. */
export function cases(few: number): number {
  return LONG_TESTS ? few * 20 : few;
}

/** Each `step`-th of the cases from the first one on, and all with LONG_TESTS. */
export function slice<T>(all: readonly T[], step: number): readonly T[] {
  return LONG_TESTS ? all : all.filter((_, index) => index % step === 0);
}
