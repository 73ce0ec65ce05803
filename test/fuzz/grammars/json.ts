import type { Mutations } from "../mutations";

/** Names that a lookup in a plain object finds, and names that are hard to print. */
const NAMES = [
  ...["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "prototype"],
  ...["a", "name", "id", "a.b", "a[0]", "", "é", "💃🏿", "\n::error::x", "\u001b[2J", "\u202ea"],
];

export function name(m: Mutations): string {
  return m.chance(0.5) ? m.pick(["a", "b", "c"]) : m.pick(NAMES);
}

/** A value that the format allows, and rarely another one. */
export function mostly(m: Mutations, value: unknown, others: readonly unknown[]): unknown {
  return m.chance(0.98) ? value : m.pick(others);
}

/** A member of an object; `__proto__` is one too. */
type Member = readonly [string, unknown];

export function object(members: readonly (Member | false)[]): object {
  const result: object = {};
  for (const member of members) {
    if (!member) continue;
    const [key, value] = member;
    Object.defineProperty(result, key, { value, enumerable: true, configurable: true });
  }
  return result;
}

export function list<T>(m: Mutations, most: number, element: () => T): readonly T[] {
  return Array.from({ length: m.below(most + 1) }, element);
}

export function json(m: Mutations, depth = 3): unknown {
  const kind = m.below(depth === 0 ? 4 : 6);
  if (kind === 0) return m.pick([null, true, false]);
  if (kind === 1) return m.pick([0, -0, -1, 0.1, 2 ** 53, 1e21, 1e308]);
  if (kind <= 3) return m.chance(0.2) ? "x".repeat(1000) : name(m);
  if (kind === 4) return list(m, 3, () => json(m, depth - 1));
  return object(list(m, 3, () => [name(m), json(m, depth - 1)] as const));
}
