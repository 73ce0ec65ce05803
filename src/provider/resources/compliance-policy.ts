import { SET_BY_CONSOLE } from "../../api/collections";
import { z } from "zod";
import { isFilledIn } from "../collections/members";
import { namesIn } from "../collections/named-collections";
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
import type { StateOf } from "../../core/schema/types";
import { isListValue, isNullValue, UNKNOWN, type ObjectValue, type Value } from "../../core/values";
import { entriesOf } from "../collections/contents";
import { error, type Diagnostic } from "../../core/diagnostics";
import { extraJsonAttribute, extraJsonErrors, parseJsonObject } from "./extra-json";
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

/** The attributes of the six lists of `resources`. */
export const policyResourcesAttributes = scopeAttributes((description) =>
  optional(set(string()), description, { default: ["*"], ...reviewed({ kind: "scope" }) }),
);

/** The scope of a policy that matches everything. */
export const EVERYTHING = Object.fromEntries(
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

export type DeclaredPolicy = StateOf<typeof compliancePolicyAttributes>;
export type PolicyResources = NonNullable<DeclaredPolicy["resources"]>;

/** The members of 2.4's `resources`, by the attributes that manage them. */
export const SCOPES = {
  hosts: "hosts",
  images: "images",
  labels: "labels",
  containers: "containers",
  namespaces: "namespaces",
  account_ids: "accountIDs",
} as const satisfies Record<keyof PolicyResources, string>;

/** The members of section 2.4 that attributes manage. */
export const POLICY_MEMBERS = ["name", "disabled", "verbose", "resources", "condition"];

/**
 * Reports `extra_json` of policies that is no object, and members that do not belong there; and
 * policies with two scopes.
 */
export function extraPolicyErrors(config: ObjectValue): readonly Diagnostic[] {
  return [
    ...extraJsonErrors(config, "policies", POLICY_MEMBERS, SET_BY_CONSOLE),
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
