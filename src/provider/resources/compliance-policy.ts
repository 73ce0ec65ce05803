import { z } from "zod";
import { listOf, type ComplianceCheck, type CompliancePolicy } from "../../api/bodies";
import { isExactNumber, toNumber } from "../../api/json";
import { without } from "../collections/members";
import type { EntryCodec } from "../collections/ownership";
import { bool, map, object, optional, required, set, string } from "../schema/attribute";
import { stateOf, type StateOf } from "../schema/types";
import { canonicalSet, valuesEqual, type ObjectValue } from "../values";

const scope = (what: string) =>
  optional(set(string()), `${what} that the policy is for. The wildcard \`*\` matches all.`, {
    default: ["*"],
    review: { kind: "scope" },
  });

const policyResourcesAttributes = {
  hosts: scope("Hosts"),
  images: scope("Images"),
  labels: scope("Labels"),
  containers: scope("Containers"),
  namespaces: scope("Namespaces"),
  account_ids: scope("Cloud account IDs"),
};

export const compliancePolicyAttributes = {
  name: required(string(z.string().min(1)), "Name of the policy; unique in the set."),
  disabled: optional(bool(), "Whether the policy is kept but not enforced.", {
    default: false,
    review: { kind: "off-switch" },
  }),
  verbose: optional(bool(), "Whether the message of a blocked action is verbose.", {
    default: false,
  }),
  resources: optional(
    object(policyResourcesAttributes),
    "What the policy is for; everything where nothing is said.",
    {
      default: Object.fromEntries(
        Object.keys(policyResourcesAttributes).map((name) => [name, ["*"]]),
      ),
    },
  ),
  checks: required(
    map(
      bool(),
      // As many digits as a JavaScript number can hold.
      z.string().regex(/^[1-9]\d{0,14}$/, "A compliance check is named by its ID, a whole number"),
    ),
    "The compliance checks, by ID: whether each one blocks (`true`) or alerts (`false`).",
    { review: { kind: "rules", noun: "check" } },
  ),
};

type Policy = StateOf<typeof compliancePolicyAttributes>;
type PolicyResources = Policy["resources"];

/** The members of 2.4's `resources`, by the attributes that manage them. */
const SCOPES = {
  hosts: "hosts",
  images: "images",
  labels: "labels",
  containers: "containers",
  namespaces: "namespaces",
  account_ids: "accountIDs",
} as const satisfies Record<keyof PolicyResources, string>;

/**
 * Between a policy of the stack and one of the console. Five members of section 2.4 are managed:
 * name, disabled, resources, condition.vulnerabilities (id and block) and verbose. All others are
 * kept as found, obsolete and unknown ones too, and so is a managed one that says the same already.
 */
export const policyCodec: EntryCodec<CompliancePolicy> = {
  keyOfItem: ({ name }) => name,
  keyOfEntry: (entry) => stateOf(compliancePolicyAttributes, entry).name,
  decode,
  matches: (item, entry) => valuesEqual(decode(item), entry),
  encode: ({ entry }, found) => {
    const policy = stateOf(compliancePolicyAttributes, entry);
    return found ? change(found, policy) : create(policy);
  },
  isBuiltIn: (item) => isBuiltIn(item, decode(item)),
  outgoing: (item) => item,
};

function decode(item: CompliancePolicy): Policy & ObjectValue {
  return {
    name: item.name,
    disabled: item.disabled ?? false,
    verbose: item.verbose ?? false,
    resources: decodeResources(item.resources ?? {}),
    checks: decodeChecks(checksOf(item)),
  };
}

/** A missing list means everything, an empty one nothing, and so does null (notes). */
function decodeResources(found: NonNullable<CompliancePolicy["resources"]>): PolicyResources {
  const scope = (name: keyof PolicyResources) =>
    canonicalSet(listOf(found[SCOPES[name]], ["*"])) as readonly string[];
  return {
    hosts: scope("hosts"),
    images: scope("images"),
    labels: scope("labels"),
    containers: scope("containers"),
    namespaces: scope("namespaces"),
    account_ids: scope("account_ids"),
  };
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
    resources: Object.fromEntries(
      Object.entries(SCOPES).map(([name, member]) => [member, scopeOf(policy.resources, name)]),
    ),
    condition: { vulnerabilities: changeChecks([], policy.checks) },
    verbose: policy.verbose,
  };
}

function change(found: CompliancePolicy, policy: Policy): CompliancePolicy {
  const now = decode(found);
  const resources = Object.entries(SCOPES).flatMap(([name, member]) =>
    valuesEqual(scopeOf(now.resources, name), scopeOf(policy.resources, name))
      ? []
      : [[member, scopeOf(policy.resources, name)] as const],
  );
  return {
    ...found,
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
  };
}

/** Those that stay keep their place and their other members; new ones follow, by ID. */
function changeChecks(
  found: readonly ComplianceCheck[],
  wanted: Readonly<Record<string, boolean>>,
): ComplianceCheck[] {
  const kept = found.flatMap((check) => {
    const block = wanted[String(toNumber(check.id))];
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

const EVERYTHING = {
  hosts: ["*"],
  images: ["*"],
  labels: ["*"],
  containers: ["*"],
  namespaces: ["*"],
  account_ids: ["*"],
};

/** The managed members of the two policies that a fresh console has (notes). */
const BUILT_IN: readonly ObjectValue[] = [
  { name: "Default - ignore own components", checks: { 56: false, 57: false } },
  { name: "Default - alert on critical and high", checks: { 41: false, 51: false } },
].map((policy) => ({ ...policy, disabled: false, verbose: false, resources: EVERYTHING }));

/**
 * Whether a policy came with the console: `system` owns it, or it says what one of a fresh console
 * says, and nothing else. Its owner alone does not tell: a console makes whoever puts a policy back
 * its owner, as a destroy does. `managed` are the policy's managed members.
 */
function isBuiltIn(policy: CompliancePolicy, managed: ObjectValue): boolean {
  if (policy.owner === "system") return true;
  if (!BUILT_IN.some((builtIn) => valuesEqual(builtIn, managed))) return false;
  const { vulnerabilities, ...condition } = policy.condition ?? {};
  const checks = (vulnerabilities ?? []).map((check) => without(check, "id"));
  const others = without(policy, "name", "owner", "modified", "resources", "condition");
  return saysNothing([others, condition, checks]);
}

/** As a console fills in what nobody has set. */
function saysNothing(value: unknown): boolean {
  if (isExactNumber(value)) return toNumber(value) === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(saysNothing);
  return value === null || value === undefined || value === "" || value === 0 || value === false;
}
