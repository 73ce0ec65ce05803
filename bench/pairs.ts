/** Timings taken in turn, A B A B …, so that a machine whose speed drifts spoils no ratio. */
export interface Pairs {
  /** Milliseconds, medians. */
  readonly a: number;
  readonly b: number;
  /** The median of the ratios a/b of each pair. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
}

/** `a` and `b` give milliseconds: each measures what counts, and prepares outside of that. */
export async function timeInPairs(
  runs: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<Pairs> {
  const pairs: { a: number; b: number }[] = [];
  for (let run = -1; run < runs; run++) {
    const pair = { a: await a(), b: await b() };
    if (run >= 0) pairs.push(pair); // The first one warms up.
  }
  const ratios = pairs.map((pair) => pair.a / pair.b).sort((one, other) => one - other);
  return {
    a: median(pairs.map((pair) => pair.a)),
    b: median(pairs.map((pair) => pair.b)),
    ratio: median(ratios),
    least: ratios[0] ?? Number.NaN,
    most: ratios.at(-1) ?? Number.NaN,
  };
}

/** Prints a ratio; without an aim it is for information only. */
export function report(
  what: string,
  aim: number | undefined,
  { ratio, least, most, a, b }: Pairs,
): void {
  const range = `${least.toFixed(2)} to ${most.toFixed(2)}`;
  const times = `medians ${a.toFixed(0)} ms and ${b.toFixed(0)} ms on this machine, now`;
  console.log(
    `${what}: ${ratio.toFixed(2)} times (${range}; ${times})${aim === undefined ? "" : `; aim: under ${aim}`}`,
  );
}

/** How long `work` takes, in milliseconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
