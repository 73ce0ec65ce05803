import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { reword, warning, type Diagnostic } from "../../core/diagnostics";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import { readAssembly, readConfiguration, type StackEntry } from "../../language";
import type { Terminal } from "../terminal/terminal";

/**
 * Returns the stacks whose configuration differs from that of the stack with their name in another
 * folder of synthesized stacks, and those that are not in it. Without a folder: all.
 */
export async function changedStacks(
  { directory }: Terminal,
  stacks: readonly StackEntry[],
  folder: string | undefined,
): Promise<{
  readonly stacks: ReadonlySet<StackEntry>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  if (folder === undefined) return { stacks: new Set(stacks), diagnostics: [] };
  const { assembly, diagnostics } = await readAssembly(resolve(directory, folder));
  if (!assembly) return { stacks: new Set(), diagnostics: diagnostics.map(ofEarlier) };
  const earlier = new Map(assembly.stacks.map((stack) => [stack.name, stack]));
  const isChanged = await Promise.all(
    stacks.map(async (stack) => {
      const before = earlier.get(stack.name);
      earlier.delete(stack.name);
      return !before || !(await isEqual(before, stack));
    }),
  );
  return {
    stacks: new Set(stacks.filter((_, at) => isChanged[at])),
    diagnostics: earlier.size === 0 ? [] : [removed([...earlier.keys()], folder)],
  };
}

const ofEarlier = (diagnostic: Diagnostic) =>
  reword(diagnostic, (line) => line.replace("--out-dir", "--changed-from"));

/** A configuration that cannot be read is changed: loading the stack reports it. */
async function isEqual(before: StackEntry, stack: StackEntry): Promise<boolean> {
  const [one, other] = await Promise.all([readConfiguration(before), readConfiguration(stack)]);
  return "json" in one && "json" in other && isDeepStrictEqual(one.json, other.json);
}

function removed(names: readonly string[], folder: string): Diagnostic {
  const detail = `The app no longer has stacks that are in ${folder}: ${shortStackList(names)}. Their objects are not destroyed.`;
  return warning("Stacks were removed from the app", detail);
}
