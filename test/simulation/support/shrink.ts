/**
 * Makes a failing record of choices smaller: shorter, and with more plain choices. `fails` is called
 * at most `budget` times.
 */
export async function shrink(
  choices: readonly number[],
  fails: (choices: readonly number[]) => Promise<boolean>,
  budget: number,
): Promise<readonly number[]> {
  let best = [...choices];
  let left = budget;
  const attempt = async (smaller: readonly number[]): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(smaller))) return false;
    best = [...smaller];
    return true;
  };
  for (let length = best.length >> 1; length > 0 && left > 0; length >>= 1) {
    while (best.length > length && (await attempt(best.slice(0, -length))));
  }
  for (let size = best.length >> 1; size > 0 && left > 0; size >>= 1) {
    for (let at = 0; at < best.length && left > 0; at += size) {
      const chunk = best.slice(at, at + size);
      if (chunk.every((choice) => choice === 0)) continue;
      await attempt([...best.slice(0, at), ...chunk.map(() => 0), ...best.slice(at + size)]);
    }
  }
  return best;
}
