import { SET_BY_CONSOLE } from "../../api/collections";
import { memberOf } from "../../core/member-of";
import { z } from "zod";
import { foundList, type ComplianceCheck, type CompliancePolicy } from "../../api/bodies";
import { DEFAULT_POLICIES } from "../../api/default-policies";
import { toNumber } from "../../core/json/lossless-json";
import { isFilledIn, without } from "../collections/members";
import { namesIn, sameNames } from "../collections/named-collections";
import type { EntryCodec } from "../collections/ownership";
import {
  bool,
  list,
  map,
  object,
  optional,
  required,
  set,
  string,
} from "../../core/schema/attribute";
import { stateOf, type StateOf } from "../../core/schema/types";
import {
  canonicalSet,
  isListValue,
  isNullValue,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { entriesOf } from "../collections/contents";
import { error, type Diagnostic } from "../../core/diagnostics";
import {
  decodeExtraJson,
  extraJsonAttribute,
  extraJsonErrors,
  otherMembers,
  parseJsonObject,
} from "./extra-json";
import { reviewed } from "../review-hints";

/** The scopes of a policy, each as the attribute of its description. */
export function scopeAttributes<T>(attribute: (description: string) => T) {
  const scope = (what: string) =>
    attribute(`${what} that the policy applies to. \`*\` matches all.`);
  return {
    hosts: scope("Hosts"),
    images: scope("Images"),
    labels: scope("Labels"),
    containers: scope("Containers"),
    namespaces: scope("Namespaces"),
    account_ids: scope("Cloud account IDs"),
  };
}

const policyResourcesAttributes = scopeAttributes((description) =>
  optional(set(string()), description, { default: ["*"], ...reviewed({ kind: "scope" }) }),
);

const EVERYTHING = Object.fromEntries(
  Object.keys(policyResourcesAttributes).map((name) => [name, ["*"]]),
);

export const compliancePolicyAttributes = {
  name: required(string(z.string().min(1)), "Name of the policy; unique in the set."),
  disabled: optional(bool(), "Disables the policy without removing it.", {
    default: false,
    ...reviewed({ kind: "off-switch" }),
  }),
  verbose: optional(bool(), "Shows a verbose message when an action is blocked.", {
    default: false,
  }),
  resources: optional(
    object(policyResourcesAttributes),
    "Scope of the policy. Default: everything, or null if `collections` are set.",
    { default: EVERYTHING, inPlaceOf: "collections" },
  ),
  collections: optional(
    list(string(z.string().min(1)), z.array(z.string()).min(1)),
    "Collections of the console that the policy applies to, by name, in place of `resources`. A workload of any of them is in its scope. Consoles later than the specification have them.",
    { ...reviewed({ kind: "collections" }) },
  ),
  checks: required(
    map(
      bool(),
      // A JavaScript number holds 15 digits.
      z.string().regex(/^[1-9]\d{0,14}$/, "A compliance check is identified by a whole number"),
    ),
    "Compliance checks by ID. `true` blocks, `false` alerts.",
    { ...reviewed({ kind: "rules", noun: "check" }) },
  ),
  extra_json: extraJsonAttribute,
};

type Policy = StateOf<typeof compliancePolicyAttributes>;
type PolicyResources = NonNullable<Policy["resources"]>;

/** The members of 2.4's `resources`, by the attributes that manage them. */
const SCOPES = {
  hosts: "hosts",
  images: "images",
  labels: "labels",
  containers: "containers",
  namespaces: "namespaces",
  account_ids: "accountIDs",
} as const satisfies Record<keyof PolicyResources, string>;

/** The members of section 2.4 that attributes manage. */
const OWN_MEMBERS = ["name", "disabled", "verbose", "resources", "condition"];
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
 * Reports `extra_json` of policies that is no object, and members that do not belong there; and
 * policies with two scopes.
 */
export function extraPolicyErrors(config: ObjectValue): readonly Diagnostic[] {
  return [
    ...extraJsonErrors(config, "policies", OWN_MEMBERS, SET_BY_CONSOLE),
    ...entriesOf(config, "policies").flatMap(scopeErrors),
  ];
}

function scopeErrors(policy: ObjectValue, index: number): readonly Diagnostic[] {
  const { resources = null, collections = null, extra_json: extra = null } = policy;
  if (isNullValue(collections)) return [];
  const path = ["policies", index];
  const inExtra = typeof extra === "string" && "collections" in (parseJsonObject(extra) ?? {});
  const problems = [
    ...(isNullValue(resources)
      ? []
      : [error(TWICE, "Set either resources or collections.", [...path, "resources"])]),
    ...(inExtra
      ? [error(TWICE, "Set collections once: not in extra_json too.", [...path, "extra_json"])]
      : []),
  ];
  return problems;
}

const TWICE = "Invalid attribute combination";

/**
 * The names of the collections that limit a policy, which `extra_json` may have; null for none, and
 * undefined if it does not state them.
 */
export function collectionsOf(policy: ObjectValue): Value | undefined {
  const { collections = null, extra_json: extra = null } = policy;
  if (!isNullValue(collections)) {
    return isListValue(collections) && !collections.includes(UNKNOWN) ? collections : UNKNOWN;
  }
  if (extra === UNKNOWN) return UNKNOWN;
  const members = typeof extra === "string" ? (parseJsonObject(extra) ?? {}) : {};
  if (!("collections" in members)) return undefined;
  return isFilledIn(members.collections) ? null : (namesIn(members) ?? UNKNOWN);
}

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
    const known = [...OWN_MEMBERS, ...SET_BY_CONSOLE, ...OBSOLETE, "collections"];
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
function decode(item: CompliancePolicy, before?: ObjectValue): Policy & ObjectValue {
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
  { collections }: Policy,
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

function create(policy: Policy): CompliancePolicy {
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
function extraMembers({ extra_json: extra }: Policy, found: Partial<CompliancePolicy> = {}) {
  const members = extra === null ? {} : (parseJsonObject(extra) ?? {});
  const [names, present] = [namesIn(members), namesIn(found)];
  if (!names) return members;
  const isSame = present && sameNames(names, present);
  return { ...members, collections: isSame ? memberOf(found, "collections") : named(names) };
}

function change(found: CompliancePolicy, policy: Policy): CompliancePolicy {
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
