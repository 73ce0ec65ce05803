import { foundList, type ComplianceCheck, type CompliancePolicy } from "../../api/bodies";
import { SET_BY_CONSOLE } from "../../api/collections";
import { DEFAULT_POLICIES } from "../../api/default-policies";
import { toNumber } from "../../core/json/lossless-json";
import { memberOf } from "../../core/member-of";
import { stateOf } from "../../core/schema/types";
import { canonicalSet, isNullValue, valuesEqual, type ObjectValue } from "../../core/values";
import { isFilledIn, without } from "../collections/members";
import { namesIn, sameNames } from "../collections/named-collections";
import type { EntryCodec } from "../collections/ownership";
import {
  compliancePolicyAttributes,
  EVERYTHING,
  POLICY_MEMBERS,
  policyResourcesAttributes,
  SCOPES,
  type DeclaredPolicy,
  type PolicyResources,
} from "./compliance-policy";
import { decodeExtraJson, otherMembers, parseJsonObject } from "./extra-json";

/** Members that no longer have an effect (section 2.4). An import leaves them on the console. */
const OBSOLETE = [
  "previousName",
  "effect",
  "action",
  "group",
  "allCompliance",
  "alertThreshold",
  "blockThreshold",
  "graceDays",
];

/**
 * Codec of policies. It manages five members of section 2.4: name, disabled, resources,
 * condition.vulnerabilities (id and block) and verbose, and those that `extra_json` names. All other
 * members are kept as found, including obsolete and unknown ones; so are managed members that
 * already have the right value.
 */
export const policyCodec: EntryCodec<CompliancePolicy> = {
  keyOfItem: ({ name }) => name,
  keyOfEntry: (entry) => stateOf(compliancePolicyAttributes, entry).name,
  decode,
  decodeWhole: (item) => {
    const known = [...POLICY_MEMBERS, ...SET_BY_CONSOLE, ...OBSOLETE, "collections"];
    const extra = otherMembers(item, known);
    return { ...decode(item), extra_json: extra && decodeExtraJson(item, extra) };
  },
  matches: (item, entry) => valuesEqual(decode(item, entry), entry),
  encode: ({ entry, before }, found) => {
    const policy = stateOf(compliancePolicyAttributes, entry);
    return found ? change(withoutOtherScope(found, policy, before), policy) : create(policy);
  },
  isPartial: (item) => isLimitedTwice(item),
  isBuiltIn: (item) => isBuiltIn(item, decode(item)),
  outgoing: (item) => item,
};

/** A policy with collections has no `resources`, unless `before` manages them beside. */
function decode(item: CompliancePolicy, before?: ObjectValue): DeclaredPolicy & ObjectValue {
  const { collections: known = null, extra_json: extra = null } = before ?? {};
  const names = namesIn(item) ?? [];
  const isNamed = names.length > 0 && (before === undefined || !isNullValue(known));
  const kept = stateOf(compliancePolicyAttributes, { collections: known }).collections;
  return {
    name: item.name,
    disabled: item.disabled ?? false,
    verbose: item.verbose ?? false,
    resources: isNamed ? null : resourcesOf(item),
    collections: isNamed ? (kept && sameNames(kept, names) ? kept : names) : null,
    checks: decodeChecks(checksOf(item)),
    extra_json: decodeExtraJson(item, typeof extra === "string" ? extra : null),
  };
}

/** The scope that the `resources` of a console's policy describe. */
export function resourcesOf({ resources }: CompliancePolicy): PolicyResources {
  return decodeResources(resources ?? {});
}

/** The policy has collections, and `resources` beside them that do not match everything. */
function isLimitedTwice(item: CompliancePolicy): boolean {
  const names = namesIn(item) ?? [];
  return names.length > 0 && !valuesEqual(resourcesOf(item), EVERYTHING);
}

/** Leaves out the scope that a policy had until now, where another one takes its place. */
function withoutOtherScope(
  found: CompliancePolicy,
  { collections }: DeclaredPolicy,
  before: ObjectValue | undefined,
): CompliancePolicy {
  const was = before && stateOf(compliancePolicyAttributes, before);
  if (!was || (was.collections === null) === (collections === null)) return found;
  if (collections === null) return { ...found, collections: [] };
  return { ...found, resources: undefined };
}

/** A missing list matches everything; an empty list or null matches nothing (notes). */
function decodeResources(found: NonNullable<CompliancePolicy["resources"]>): PolicyResources {
  const scopes = Object.entries(SCOPES).map(
    ([name, member]) => [name, canonicalSet(foundList(found[member], ["*"]))] as const,
  );
  return stateOf(policyResourcesAttributes, Object.fromEntries(scopes));
}

function decodeChecks(checks: readonly ComplianceCheck[]): Record<string, boolean> {
  return Object.fromEntries(
    checks.map(({ id, block }) => [String(toNumber(id)), block ?? false] as const),
  );
}

function checksOf(item: CompliancePolicy): readonly ComplianceCheck[] {
  return item.condition?.vulnerabilities ?? [];
}

function create(policy: DeclaredPolicy): CompliancePolicy {
  return {
    name: policy.name,
    disabled: policy.disabled,
    ...(policy.collections
      ? { collections: named(policy.collections) }
      : { resources: writtenScope(policy.resources ?? resourcesOf({ name: policy.name })) }),
    condition: { vulnerabilities: changeChecks([], policy.checks) },
    verbose: policy.verbose,
    ...extraMembers(policy),
  };
}

const named = (names: readonly string[]) => names.map((name) => ({ name }));

function writtenScope(resources: PolicyResources) {
  return Object.fromEntries(
    Object.entries(SCOPES).map(([name, member]) => [member, scopeOf(resources, name)]),
  );
}

/** The members of `extra_json`, but for collections that the found policy names already. */
function extraMembers(
  { extra_json: extra }: DeclaredPolicy,
  found: Partial<CompliancePolicy> = {},
) {
  const members = extra === null ? {} : (parseJsonObject(extra) ?? {});
  const [names, present] = [namesIn(members), namesIn(found)];
  if (!names) return members;
  const isSame = present && sameNames(names, present);
  return { ...members, collections: isSame ? memberOf(found, "collections") : named(names) };
}

function change(found: CompliancePolicy, policy: DeclaredPolicy): CompliancePolicy {
  const now = { ...decode(found), resources: resourcesOf(found) };
  const wanted = policy.resources ?? now.resources;
  const resources = Object.entries(SCOPES).flatMap(([name, member]) =>
    valuesEqual(scopeOf(now.resources, name), scopeOf(wanted, name))
      ? []
      : [[member, scopeOf(wanted, name)] as const],
  );
  const names = policy.collections;
  const isRenamed = names && !sameNames(names, namesIn(found) ?? []);
  return {
    ...found,
    ...(isRenamed && { collections: named(names) }),
    ...(now.disabled !== policy.disabled && { disabled: policy.disabled }),
    ...(now.verbose !== policy.verbose && { verbose: policy.verbose }),
    ...(resources.length > 0 && {
      resources: { ...found.resources, ...Object.fromEntries(resources) },
    }),
    ...(!valuesEqual(now.checks, policy.checks) && {
      condition: {
        ...found.condition,
        vulnerabilities: changeChecks(checksOf(found), policy.checks),
      },
    }),
    ...extraMembers(policy, found),
  };
}

/** Kept checks keep their place and their other members; new checks follow, by ID. */
function changeChecks(
  found: readonly ComplianceCheck[],
  wanted: Readonly<Record<string, boolean>>,
): ComplianceCheck[] {
  const kept = found.flatMap((check) => {
    const block = memberOf(wanted, String(toNumber(check.id)));
    if (block === undefined) return [];
    return [(check.block ?? false) === block ? check : { ...check, block }];
  });
  const present = new Set(found.map(({ id }) => String(toNumber(id))));
  const added = Object.entries(wanted)
    .filter(([id]) => !present.has(id))
    .map(([id, block]) => ({ id: Number(id), block }))
    .sort((a, b) => a.id - b.id);
  return [...kept, ...added];
}

function scopeOf(resources: PolicyResources, name: string): string[] {
  return [...resources[name as keyof PolicyResources]];
}

/** The managed members of the policies that a fresh console has. */
export const BUILT_IN: readonly ObjectValue[] = DEFAULT_POLICIES.map(({ name, checks }) => ({
  name,
  checks: Object.fromEntries(checks.map((id) => [id, false])),
  disabled: false,
  verbose: false,
  resources: EVERYTHING,
  collections: null,
  extra_json: null,
}));

/**
 * Reports whether a policy is a default policy: `system` owns it, or it equals one of a fresh console.
 * The owner alone is not enough, because a restore makes the caller the owner. `managed` has the
 * policy's managed members.
 */
function isBuiltIn(policy: CompliancePolicy, managed: ObjectValue): boolean {
  if (policy.owner === "system") return true;
  if (!BUILT_IN.some((builtIn) => valuesEqual(builtIn, managed))) return false;
  const { vulnerabilities, ...condition } = policy.condition ?? {};
  const checks = (vulnerabilities ?? []).map((check) => without(check, "id"));
  const others = without(policy, "name", "owner", "modified", "resources", "condition");
  return isFilledIn([others, condition, checks]);
}
