import { merge } from "../../../constructs/tenants/merge";
import { memberOf } from "../../../core/member-of";
import { valuesEqual } from "../../../core/values";
import type { LiteralObject } from "../literal-source";
import { baseLineOf, policiesIn, type TenantLiteral } from "./base-line";
import { isObject, overridesOf, type Named } from "./differences";
import { variantName, variantsOf } from "./variants";

/** A tenant whose console was read. */
export interface ReadTenant {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly settings: TenantLiteral;
}

/** A tenant as the base line with the overrides of its label and then of its row. */
export interface EstateTenant {
  /** With the label of its variant. */
  readonly labels: Readonly<Record<string, string>>;
  readonly overrides: LiteralObject;
  /** All policies, if the merge cannot express their order. They replace those of the base line. */
  readonly policies?: readonly Named[];
}

export interface Estate {
  readonly base: TenantLiteral;
  /** The label whose values name the variants. */
  readonly label: string;
  readonly variants: ReadonlyMap<string, LiteralObject>;
  /** In the order of the tenants that were read. */
  readonly tenants: readonly EstateTenant[];
}

/** Divides the settings of tenants into what they share and what differs. */
export function estateOf(read: readonly ReadTenant[], common: number): Estate {
  const base = expressible(
    baseLineOf(
      read.map(({ settings }) => settings),
      common,
    ),
    read,
  );
  const differences = read.map(({ settings }) => expressed(base, settings));
  const found = variantsOf(
    differences.map((one) => one ?? {}),
    (at, overrides) => {
      const settings = read[at]?.settings;
      return settings !== undefined && expressed(applied(base, overrides), settings) !== undefined;
    },
  );
  const labels = read.map((tenant) => tenant.labels);
  const { label, names } = labelled(
    found.map((variant) => ({ ...variant, name: variantName(variant) })),
    labels,
  );
  const variants = new Map(found.map(({ overrides }, at) => [names[at] ?? "", overrides]));
  const variantOf = new Map(
    found.flatMap(({ tenants }, at) => tenants.map((one) => [one, names[at] ?? ""] as const)),
  );
  return {
    base,
    label,
    variants,
    tenants: read.map(({ settings, labels }, at): EstateTenant => {
      const variant = variantOf.get(at);
      const start = applied(base, variants.get(variant ?? "") ?? {});
      const overrides = expressed(start, settings);
      const policies = policiesIn(settings);
      return {
        labels: variant === undefined ? labels : { ...labels, [label]: variant },
        ...(overrides || !policies
          ? { overrides: overrides ?? {} }
          : { overrides: withoutPolicies(base, settings), policies }),
      };
    }),
  };
}

/** The overrides that express settings; undefined if none do, because of the order of policies. */
function expressed(base: TenantLiteral, settings: TenantLiteral): LiteralObject | undefined {
  const found = overridesOf(base, settings) ?? {};
  if (!isObject(found)) return undefined;
  return valuesEqual(applied(base, found), settings) ? found : undefined;
}

/** Leaves out lists other than policies, if a tenant has their entries in another order. */
function expressible(base: TenantLiteral, read: readonly ReadTenant[]): TenantLiteral {
  const elements = Object.entries(base).filter(
    ([name, element]) =>
      name === "policies" ||
      read.every(({ settings }) => {
        const own = memberOf(settings, name);
        return expressed({ [name]: element }, own === undefined ? {} : { [name]: own });
      }),
  );
  return Object.fromEntries(elements);
}

/** The settings that the constructs make of the overrides. */
export function applied(base: TenantLiteral, overrides: LiteralObject): TenantLiteral {
  return merge<TenantLiteral>(base, overrides);
}

/** The overrides of all but the policies of the list. */
function withoutPolicies(base: TenantLiteral, settings: TenantLiteral): LiteralObject {
  const without = (all: TenantLiteral): TenantLiteral => {
    const element = memberOf(all, "policies");
    if (!isObject(element)) return all;
    return { ...all, policies: { ...element, policies: [] } };
  };
  const found = overridesOf(without(base), without(settings));
  return isObject(found) ? found : {};
}

/** Takes a label that distinguishes the same tenants already, else a new one. */
function labelled(
  variants: readonly { readonly name: string; readonly tenants: readonly number[] }[],
  labels: readonly Readonly<Record<string, string>>[],
): { readonly label: string; readonly names: readonly string[] } {
  const keys = [...new Set(labels.flatMap((one) => Object.keys(one)))];
  for (const label of variants.length > 0 ? keys : []) {
    const values = labels.map((one) => memberOf(one, label));
    const names = variants.flatMap(({ tenants }) => {
      const [name] = tenants.map((at) => values[at]);
      if (name === undefined) return [];
      const having = [...values.keys()].filter((at) => values[at] === name);
      return having.join() === tenants.join() ? [name] : [];
    });
    if (names.length === variants.length) return { label, names };
  }
  let label = "variant";
  while (keys.includes(label)) label = `adopted-${label}`;
  return { label, names: unique(variants.map(({ name }) => name)) };
}

function unique(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
    taken.add(free);
    return free;
  });
}
