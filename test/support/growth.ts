/** Far above 4 and its noise, far below 16, the square of 4. */
const BOUND = 9;

/**
 * Expects four times the input to take about four times the work: processor time, so that it holds
 * beside other processes. A first run is not counted, which compiles the code.
 */
export async function expectLinear(
  work: (size: number) => Promise<void>,
  size: number,
): Promise<void> {
  const timed = async (each: number) => {
    const start = process.cpuUsage();
    await work(each);
    return process.cpuUsage(start).user;
  };
  await work(size);
  const ratios: number[] = [];
  while (ratios.length < 3 && !ratios.some((ratio) => ratio < BOUND)) {
    const once = await timed(size);
    ratios.push((await timed(4 * size)) / once);
  }
  expect(Math.min(...ratios)).toBeLessThan(BOUND);
}
