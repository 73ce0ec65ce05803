/** Groups items by a key, in the order in which the keys appear. */
export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => unknown,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<unknown, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
