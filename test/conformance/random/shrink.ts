import type { StackJson } from "../../cli/stack-files";
import type { RandomStep } from "./step";

/** The state of a shrinking: `differs` runs steps and says whether the engines still differ. */
interface Shrinking {
  readonly differs: (steps: readonly RandomStep[]) => Promise<boolean>;
  /** The end of the time for it, as of `performance.now()`. */
  readonly end: number;
}

/** Drops steps, then blocks and their members, as long as the engines still differ. */
export async function shrink(
  steps: readonly RandomStep[],
  shrinking: Shrinking,
): Promise<readonly RandomStep[]> {
  let smallest = steps;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const smaller of smallerThan(smallest)) {
      if (performance.now() > shrinking.end) return smallest;
      const candidate = smaller(smallest);
      if (candidate === undefined) continue;
      if (!(await shrinking.differs(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
    }
  }
  return smallest;
}

/** A change that makes steps smaller; undefined where an earlier one has removed its object. */
type Smaller = (steps: readonly RandomStep[]) => readonly RandomStep[] | undefined;

function smallerThan(steps: readonly RandomStep[]): readonly Smaller[] {
  const paths = new Map(
    steps.flatMap(({ stack = {} }) => pathsIn(stack).map((path) => [JSON.stringify(path), path])),
  );
  return [
    ...steps.map((_, index): Smaller => withoutStep(steps.length - 1 - index)),
    ...[...paths.values()].sort((one, other) => one.length - other.length).map(withoutPath),
  ];
}

function withoutStep(index: number): Smaller {
  return (steps) => {
    if (steps.length < 2 || index >= steps.length) return undefined;
    return steps.filter((_, other) => other !== index);
  };
}

type Path = readonly string[];

/** The paths of all blocks and members but those that every stack has. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const [kind, name] = path;
  if (kind === "provider" || String(name).startsWith("CONSOLE_")) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => pathsIn(one, [...path, key]));
  const isNeeded = path.length === 0 || (kind === "variable" && path.length === 1);
  return isNeeded ? inner : [path, ...inner];
}

/** Removes a path from the stacks of all steps. */
function withoutPath(path: Path): Smaller {
  return (steps) => {
    const changed = steps.map((step): RandomStep => {
      if (!step.stack) return step;
      const stack = remove(step.stack, path);
      if (stack === step.stack) return step;
      return { ...step, stack: stack as StackJson };
    });
    return changed.some((step, index) => step !== steps[index]) ? changed : undefined;
  };
}

function remove(value: unknown, path: Path): unknown {
  const [key = "", ...rest] = path;
  if (typeof value !== "object" || value === null || !(key in value)) return value;
  const changed = rest.length === 0 ? undefined : remove(memberOf(value, key), rest);
  if (rest.length > 0 && changed === memberOf(value, key)) return value;
  const entries = Object.entries(value).flatMap(([name, one]): [string, unknown][] => {
    if (name !== key) return [[name, one]];
    return rest.length === 0 ? [] : [[name, changed]];
  });
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

function memberOf(value: object, key: string): unknown {
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
