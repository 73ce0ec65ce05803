import { memberOf } from "../../../core/member-of";
import type { Literal, LiteralObject } from "../literal-source";
import { isNamedList, type Named } from "./differences";

/** The settings of one tenant, as those of a `ConsoleTenant`. */
export type TenantLiteral = LiteralObject;

/**
 * Returns what at least the share `common` of the tenants have: policies of one name, with the content
 * that most of them have, in the order that most have, and other elements that are equal.
 */
export function baseLineOf(tenants: readonly TenantLiteral[], common: number): TenantLiteral {
  const least = Math.max(1, Math.ceil(common * tenants.length));
  const names = [...new Set(tenants.flatMap((settings) => Object.keys(settings)))];
  const elements = names.flatMap((name) => {
    const values = tenants.flatMap((settings) => memberOf(settings, name) ?? []);
    const element = name === "policies" ? policiesOf(values, least) : shared(values, least);
    return element === undefined ? [] : [[name, element] as const];
  });
  return Object.fromEntries(elements);
}

/** The policies of settings; undefined for a tenant without any. */
export function policiesIn(settings: TenantLiteral): readonly Named[] | undefined {
  const element = memberOf(settings, "policies");
  const list = listOf(element);
  return isNamedList(list) ? list : undefined;
}

function listOf(element: Literal | undefined): Literal | undefined {
  return typeof element === "object" && element !== null && "policies" in element
    ? element.policies
    : undefined;
}

function policiesOf(elements: readonly Literal[], least: number): Literal | undefined {
  const lists = elements.map((element) => listOf(element)).filter(isNamedList);
  const contents = new Map<string, Named[]>();
  for (const policy of lists.flat()) {
    contents.set(policy.name, [...(contents.get(policy.name) ?? []), policy]);
  }
  const common = [...contents].filter(([, { length }]) => length >= least);
  if (common.length === 0) return undefined;
  const others = elements.map((element) => {
    const { policies, ...rest } = element as LiteralObject;
    return policies === undefined ? {} : rest;
  });
  const order = commonOrder(
    common.map(([name]) => name),
    lists.map((list) => list.map(({ name }) => name)),
  );
  const policies = order.flatMap((name) => mostFrequent(contents.get(name) ?? [])?.value ?? []);
  return { ...mostFrequent(others)?.value, policies };
}

/** Orders names as most lists do: with as many lists as possible in which they are in that order. */
function commonOrder(
  names: readonly string[],
  lists: readonly (readonly string[])[],
): readonly string[] {
  const wanted = new Set(names);
  const sequences = lists.map((list) => list.filter((name) => wanted.has(name)));
  const candidates = [
    ...distinct(sequences.filter(({ length }) => length === names.length)),
    byMajority(names, sequences),
  ];
  const scored = candidates.map((order) => {
    const position = new Map(order.map((name, at) => [name, at]));
    const isInOrder = (sequence: readonly string[]) =>
      sequence.every(
        (name, at) =>
          at === 0 || (position.get(sequence[at - 1] ?? "") ?? 0) < (position.get(name) ?? 0),
      );
    return { order, count: sequences.filter(isInOrder).length };
  });
  const most = Math.max(...scored.map(({ count }) => count));
  return scored.find(({ count }) => count === most)?.order ?? names;
}

/** Orders names by how many of the others they precede in most sequences. */
function byMajority(
  names: readonly string[],
  sequences: readonly (readonly string[])[],
): readonly string[] {
  const positions = sequences.map((sequence) => new Map(sequence.map((name, at) => [name, at])));
  const lead = (a: string, b: string) =>
    positions.reduce((sum, position) => {
      const [first, second] = [position.get(a), position.get(b)];
      return first === undefined || second === undefined ? sum : sum + Math.sign(second - first);
    }, 0);
  const wins = new Map(names.map((a) => [a, names.filter((b) => lead(a, b) > 0).length]));
  return [...names].sort((a, b) => (wins.get(b) ?? 0) - (wins.get(a) ?? 0));
}

function shared(values: readonly Literal[], least: number): Literal | undefined {
  const most = mostFrequent(values);
  return most && most.count >= least ? most.value : undefined;
}

/** The value that is the most frequent one; of several, the first. */
function mostFrequent<T extends Literal>(
  values: readonly T[],
): { readonly value: T; readonly count: number } | undefined {
  const counts = new Map<string, { value: T; count: number }>();
  for (const value of values) {
    const key = JSON.stringify(value);
    const found = counts.get(key);
    if (found) found.count++;
    else counts.set(key, { value, count: 1 });
  }
  return [...counts.values()].reduce<{ value: T; count: number } | undefined>(
    (best, one) => (best && best.count >= one.count ? best : one),
    undefined,
  );
}

function distinct(sequences: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(sequences.map((one) => [JSON.stringify(one), one])).values()];
}
