/** Stacks that wait for each other, directly or not; mostly one. */
export type Unit = readonly string[];

/**
 * Groups stacks that wait for each other. A unit comes after those that it waits for, and otherwise
 * the order of the stacks is kept. (Kosaraju's algorithm.)
 *
 * @param awaited - the stacks that a stack waits for; those that are not in `stacks` are ignored
 */
export function unitsOf(
  stacks: readonly string[],
  awaited: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Unit[] {
  const waiting = new Map<string, string[]>(stacks.map((stack) => [stack, []]));
  const needs = new Map<string, readonly string[]>();
  for (const stack of stacks) {
    const known = [...(awaited.get(stack) ?? [])].filter((other) => waiting.has(other));
    needs.set(stack, known);
    for (const other of known) waiting.get(other)?.push(stack);
  }
  const done = postOrders(stacks, (stack) => needs.get(stack) ?? []).flat();
  const units = postOrders([...done].reverse(), (stack) => waiting.get(stack) ?? []);
  const given = positions(stacks);
  // A unit ends after every stack that it waits for.
  const end = positions(done);
  return units
    .map((unit) => ({ unit, end: unit.reduce((most, stack) => Math.max(most, end(stack)), 0) }))
    .sort((a, b) => a.end - b.end)
    .map(({ unit }) => [...unit].sort((a, b) => given(a) - given(b)));
}

/** Adds the stacks that wait for some, directly or not. */
export function withDependents(
  some: ReadonlySet<string>,
  awaited: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = new Set(some);
  for (let known = -1; known < found.size;) {
    known = found.size;
    for (const [stack, others] of awaited) {
      if ([...others].some((other) => found.has(other))) found.add(stack);
    }
  }
  return found;
}

function positions(stacks: readonly string[]): (stack: string) => number {
  const found = new Map(stacks.map((stack, at) => [stack, at]));
  return (stack) => found.get(stack) ?? stacks.length;
}

/** Visits by depth from each start; returns what each newly reaches, in the order of completion. */
function postOrders(
  starts: readonly string[],
  next: (stack: string) => readonly string[],
): readonly (readonly string[])[] {
  const seen = new Set<string>();
  return starts.flatMap((start) => {
    if (seen.has(start)) return [];
    seen.add(start);
    const done: string[] = [];
    // A list instead of recursion: chains of stacks can be long.
    const path = [{ stack: start, following: next(start), at: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const stack = top.following[top.at++];
      if (stack === undefined) {
        done.push(top.stack);
        path.pop();
      } else if (!seen.has(stack)) {
        seen.add(stack);
        path.push({ stack, following: next(stack), at: 0 });
      }
    }
    return [done];
  });
}
