import { mayBePath } from "./console-url";
import type { Template } from "./template";
import type { Constant } from "./use";

/**
 * Tells which templates have a piece of a path in them, or a variable that may hold one. What has
 * neither is most of what files hold, and need not be put together.
 */
export function telling(
  constants: readonly Constant[],
  shared: ReadonlyMap<string, Template>,
): (template: Template) => boolean {
  const names = new Set<string>();
  const tells = (template: Template): boolean =>
    template.some((part) =>
      part.kind === "text"
        ? mayBePath(part.text)
        : (part.name !== undefined && names.has(part.name)) ||
          (part.otherwise !== undefined && tells(part.otherwise)),
    );
  const learned: string[] = [];
  const learn = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    learned.push(name);
  };
  const holders = new Map<string, string[]>();
  const take = (name: string, value: Template) => {
    if (tells(value)) learn(name);
    for (const held of namesIn(value)) {
      const known = holders.get(held) ?? [];
      holders.set(held, known);
      known.push(name);
    }
  };
  for (const { name, values } of constants) for (const value of values) take(name, value);
  for (const [name, value] of shared) take(name, value);
  for (let name = learned.pop(); name !== undefined; name = learned.pop()) {
    holders.get(name)?.forEach(learn);
  }
  return tells;
}

function namesIn(template: Template): readonly string[] {
  return template.flatMap((part) => {
    if (part.kind === "text") return [];
    const own = part.name === undefined ? [] : [part.name];
    return part.otherwise ? [...own, ...namesIn(part.otherwise)] : own;
  });
}
