import { memberOf } from "../../../core/member-of";
import type { Literal, LiteralObject } from "../literal-source";
import { isNamedList, isObject } from "./differences";

/** Overrides that several tenants share. */
export interface Variant {
  readonly overrides: LiteralObject;
  /** Indexes of the tenants. */
  readonly tenants: readonly number[];
}

/** Fewer tenants have their differences in their rows. */
const LEAST_TENANTS = 3;
/** Tenants with other differences each, which are compared in pairs. */
const MOST_COMPARED = 200;

/**
 * Finds differences that tenants share, at most one variant for each tenant: first the one that saves
 * most.
 *
 * @param fits - reports whether a tenant is expressed by the overrides and others in its row
 */
export function variantsOf(
  overrides: readonly LiteralObject[],
  fits: (tenant: number, overrides: LiteralObject) => boolean,
): readonly Variant[] {
  const units = overrides.map((one) => new Map(unitsOf(one).map((unit) => [keyOf(unit), unit])));
  const free = new Set(units.keys());
  const variants: Variant[] = [];
  for (let most = best(units, free, fits); most; most = best(units, free, fits)) {
    variants.push(most);
    for (const tenant of most.tenants) free.delete(tenant);
  }
  return variants;
}

type Units = ReadonlyMap<string, LiteralObject>;

function best(
  units: readonly Units[],
  free: ReadonlySet<number>,
  fits: (tenant: number, overrides: LiteralObject) => boolean,
): Variant | undefined {
  let most: Variant | undefined;
  let saved = 0;
  for (const shared of intersections(units, free)) {
    const having = [...free].filter((at) => [...shared.keys()].every((key) => units[at]?.has(key)));
    if (having.length < LEAST_TENANTS || (having.length - 1) * shared.size <= saved) continue;
    const overrides = combined([...shared.values()]);
    const tenants = having.filter((at) => fits(at, overrides));
    const saves = (tenants.length - 1) * shared.size;
    if (tenants.length < LEAST_TENANTS || saves <= saved) continue;
    most = { overrides, tenants };
    saved = saves;
  }
  return most;
}

/** The differences that two tenants have in common, each set once. */
function intersections(units: readonly Units[], free: ReadonlySet<number>): readonly Units[] {
  const different = new Map<string, Units>();
  for (const at of free) {
    const one = units[at];
    if (one && one.size > 0) different.set([...one.keys()].sort().join(), one);
  }
  const compared = [...different.values()].slice(0, MOST_COMPARED);
  const found = new Map<string, Units>();
  for (const [at, one] of compared.entries()) {
    for (const other of compared.slice(at)) {
      const shared = new Map([...one].filter(([key]) => other.has(key)));
      if (shared.size > 0) found.set([...shared.keys()].sort().join(), shared);
    }
  }
  return [...found.values()];
}

/** The single differences: one for each policy and for each other member. */
function unitsOf(overrides: LiteralObject): readonly LiteralObject[] {
  return Object.entries(overrides).flatMap(([name, override]): readonly LiteralObject[] => {
    if (name !== "policies" || !isObject(override)) return [{ [name]: override }];
    return Object.entries(override).flatMap(([member, value]) =>
      isNamedList(value)
        ? value.map((entry) => ({ [name]: { [member]: [entry] } }))
        : [{ [name]: { [member]: value } }],
    );
  });
}

function keyOf(unit: LiteralObject): string {
  return JSON.stringify(unit);
}

function combined(units: readonly LiteralObject[]): LiteralObject {
  return units.reduce<LiteralObject>((all, unit) => joinedMembers(all, unit), {});
}

function joinedMembers(all: LiteralObject, unit: LiteralObject): LiteralObject {
  const members = Object.entries(unit).map(([name, value]): readonly [string, Literal] => {
    const before = memberOf(all, name);
    if (isObject(before) && isObject(value)) return [name, joinedMembers(before, value)];
    return [name, isNamedList(before) && isNamedList(value) ? [...before, ...value] : value];
  });
  return { ...all, ...Object.fromEntries(members) };
}

/** Names a variant after the first thing that it changes. */
export function variantName({ overrides }: Variant): string {
  const [[element, override] = ["variant", null]] = Object.entries(overrides);
  const list = isObject(override) ? memberOf(override, "policies") : undefined;
  const first = isNamedList(list) ? list[0] : undefined;
  const text = first ? `${first.removed === true ? "no " : ""}${first.name}` : element;
  const slug = text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const prefix = override === null ? "no-" : "";
  return slug === "" ? "variant" : `${prefix}${slug}`.slice(0, 40);
}
