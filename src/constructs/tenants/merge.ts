import type { IResolvable } from "cdktf";
import type { Construct } from "constructs";
import type { Secret } from "../secret";

/** Values that are replaced as a whole. */
type Whole = string | number | boolean | null | undefined | Secret | IResolvable | Construct;

/**
 * Changes to a base line, by the rules of {@link merge}. All members are optional, and `null` removes
 * the member of the base line.
 */
export type Overrides<T> = T extends Whole
  ? T
  : T extends readonly (infer E)[]
    ? readonly OverridesOfEntry<E>[]
    : { readonly [K in keyof T]?: Overrides<T[K]> | null | undefined };

/** An entry of a list: of a named one, it can also remove the entry of the base line. */
type OverridesOfEntry<E> = E extends { readonly name: unknown }
  ? Overrides<E> & { readonly removed?: boolean | undefined }
  : Overrides<E>;

const WHOLE = Symbol("whole list");

/** Marks a list of named entries, which replaces that of the base line instead of a merge by name. */
export function wholeList<T extends readonly unknown[]>(list: T): T {
  return Object.defineProperty(list, WHOLE, { value: true });
}

/**
 * Merges overrides into a base line; changes neither. The rules:
 *
 * 1. A member that the overrides leave out (or set to undefined) keeps the value of the base line.
 * 2. `null` removes the member.
 * 3. Objects and maps are merged member by member, at any depth.
 * 4. Lists whose entries all have a unique `name`, such as policies, are merged by it. An entry with
 *    the name of one in the base line is merged into it, in its position; with `removed: true` it
 *    removes it. Other entries come before those of the base line, in their order: the first policy
 *    that matches decides, so an exception must precede the rule. An empty list replaces the list.
 * 5. All else replaces the value of the base line: other lists, strings, numbers, tokens, secrets.
 */
export function merge<T>(base: T, overrides: Overrides<T>): T {
  // The rules keep the type: only optional members can be removed.
  return merged(base, overrides) as T;
}

function merged(base: unknown, override: unknown): unknown {
  if (override === undefined) return base;
  if (override === null) return undefined;
  if (Array.isArray(override)) return mergedList(base, override);
  if (!isPlainObject(override)) return override;
  const members = new Map<string, unknown>(isPlainObject(base) ? Object.entries(base) : []);
  for (const [key, value] of Object.entries(override)) {
    members.set(key, merged(members.get(key), value));
  }
  return Object.fromEntries([...members].filter(([, value]) => value !== undefined));
}

function mergedList(base: unknown, override: readonly unknown[]): readonly unknown[] {
  if (!isNamedList(override) || WHOLE in override)
    return override.map((item) => merged(undefined, item) ?? null);
  const before = isNamedList(base) ? base : [];
  const names = new Set(before.map(({ name }) => name));
  const changes = new Map(override.map((entry) => [entry.name, entry]));
  const added = override.filter(({ name }) => !names.has(name));
  return [
    ...added.map((entry) => [undefined, entry]),
    ...before.map((entry) => [entry, changes.get(entry.name)]),
  ]
    .filter(
      ([, change]) => !(isPlainObject(change) && "removed" in change && change.removed === true),
    )
    .map(([entry, change]) => withoutRemoved(merged(entry, change)));
}

/** `removed: false` is no member of an entry. */
function withoutRemoved(entry: unknown): unknown {
  if (!isPlainObject(entry) || !("removed" in entry)) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => key !== "removed"));
}

interface Named {
  readonly name: string;
}

function isNamedList(value: unknown): value is readonly Named[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isNamed)) return false;
  return new Set(value.map(({ name }) => name)).size === value.length;
}

function isNamed(value: unknown): value is Named {
  return isPlainObject(value) && "name" in value && typeof value.name === "string";
}

/** Excludes tokens, secrets and constructs, which are instances of classes. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
