import { isExactNumber } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";

/** The names that lead to a member of an item. */
export type MemberPath = readonly string[];

/** A path as the catalogue and messages have it: `slack.webhookUrl`. */
export function pathText(path: MemberPath): string {
  return path.join(".");
}

type Item = Readonly<Record<string, unknown>>;

/** Copies an object without the members at the paths. */
export function withoutPaths(item: object, paths: readonly MemberPath[]): Item {
  const members = Object.entries(item).flatMap(([name, value]: [string, unknown]) => {
    const own = paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
    if (own.some((rest) => rest.length === 0)) return [];
    return [[name, own.length > 0 && isRecord(value) ? withoutPaths(value, own) : value] as const];
  });
  return Object.fromEntries(members);
}

/** Copies an object with the members that another one has at the paths, unless it has them. */
export function withPathsOf(item: object, from: object, paths: readonly MemberPath[]): Item {
  return paths.reduce<Item>((copy, path) => withPathOf(copy, { ...from }, path), { ...item });
}

function withPathOf(item: Item, from: Item, [name, ...rest]: MemberPath): Item {
  const own: unknown = name === undefined ? undefined : memberOf<unknown>(item, name);
  const theirs: unknown = name === undefined ? undefined : memberOf<unknown>(from, name);
  if (name === undefined || theirs === undefined) return item;
  if (own === undefined && rest.length === 0) return { ...item, [name]: theirs };
  if (rest.length === 0 || !isRecord(theirs) || (own !== undefined && !isRecord(own))) return item;
  return { ...item, [name]: withPathOf(own ?? {}, theirs, rest) };
}

/** The member at a path. */
export function memberAt(item: object, path: MemberPath): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) ? memberOf(at, name) : undefined), item);
}

/** The texts of the members at the paths, at any depth. */
export function textsAt(item: object, paths: readonly MemberPath[]): readonly string[] {
  return paths.flatMap((path) => textsIn(memberAt(item, path)));
}

/** The texts of JSON, at any depth. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (isExactNumber(value)) return [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
