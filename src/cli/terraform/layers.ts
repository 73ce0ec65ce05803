import type { StackEntry } from "../../language";

type Stack = Pick<StackEntry, "name" | "dependencies">;

/**
 * Divides stacks into layers: those of one layer do not depend on each other, and each comes after
 * the layers of the stacks that it depends on. With `backwards` before them.
 */
export function layersOf<S extends Stack>(
  stacks: readonly S[],
  backwards: boolean,
): readonly (readonly S[])[] {
  const known = new Map(stacks.map((stack) => [stack.name, stack]));
  const depth = new Map<string, number>();
  const depthOf = ({ name, dependencies }: Stack): number => {
    const found = depth.get(name);
    if (found !== undefined) return found;
    // A cycle ends here; the program reports it by the states that are missing.
    depth.set(name, 0);
    const needed = dependencies.flatMap((one) => known.get(one) ?? []);
    const own = needed.length === 0 ? 0 : 1 + Math.max(...needed.map(depthOf));
    depth.set(name, own);
    return own;
  };
  const layers: S[][] = [];
  for (const stack of stacks) (layers[depthOf(stack)] ??= []).push(stack);
  const filled = layers.filter((layer) => layer.length > 0);
  return backwards ? filled.reverse() : filled;
}
