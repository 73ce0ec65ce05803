import { memberOf } from "../../../core/member-of";
import { valuesEqual } from "../../../core/values";
import { isList, type Literal, type LiteralObject } from "../literal-source";

/**
 * Returns overrides that turn a base line into `target` by the rules of `merge`, undefined if they are
 * equal. If an entry of the target is behind or between those of the base line, no overrides can: the
 * result of a merge then has the same entries in another order.
 */
export function overridesOf(
  base: Literal | undefined,
  target: Literal | undefined,
): Literal | undefined {
  if (target === undefined) return base === undefined ? undefined : null;
  if (base !== undefined && valuesEqual(base, target)) return undefined;
  if (isNamedList(target)) return overridesOfList(isNamedList(base) ? base : [], target);
  if (!isObject(base) || !isObject(target)) return target;
  const names = [...new Set([...Object.keys(target), ...Object.keys(base)])];
  const members = names.flatMap((name) => {
    const override = overridesOf(memberOf(base, name), memberOf(target, name));
    return override === undefined ? [] : [[name, override] as const];
  });
  return Object.fromEntries(members);
}

/** An entry that is merged by its name. */
export interface Named extends LiteralObject {
  readonly name: string;
}

function overridesOfList(base: readonly Named[], target: readonly Named[]): readonly Literal[] {
  const before = new Set(base.map(({ name }) => name));
  const after = new Map(target.map((entry) => [entry.name, entry]));
  const changed = base.flatMap((entry): readonly LiteralObject[] => {
    const { name } = entry;
    const now = after.get(name);
    if (!now) return [{ name, removed: true }];
    const override = overridesOf(entry, now);
    return isObject(override) ? [{ name, ...override }] : [];
  });
  return [...target.filter(({ name }) => !before.has(name)), ...changed];
}

export function isNamedList(value: Literal | undefined): value is readonly Named[] {
  if (!isList(value) || value.length === 0) return false;
  const names = value.map((entry) => (isObject(entry) ? memberOf(entry, "name") : undefined));
  return names.every((name) => typeof name === "string") && new Set(names).size === names.length;
}

export function isObject(value: Literal | undefined): value is LiteralObject {
  return typeof value === "object" && value !== null && !isList(value);
}
