import { memberOf, setMember } from "../../core/member-of";
import { canonicalJson } from "./members";
import { FIELDS, withScopes, type Field, type Policy, type Scope } from "../../protection/policy";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import { isListValue, isObjectValue, UNKNOWN, type Value } from "../../core/values";
import { reviewOf } from "../review-hints";

/** The name of a policy whose name is known only after apply. */
export const UNKNOWN_NAME = "(known after apply)";

interface Reading {
  disabled: boolean;
  scope: Partial<Record<Field, readonly string[]>>;
  checks: Record<string, boolean>;
  hasUnknownScope: boolean;
  hasUnknownChecks: boolean;
}

/**
 * Reads an entry of a list as a policy, by the meaning that the schema gives its attributes. Unknown
 * values leave open what they decide; what is known bounds it.
 */
export function readPolicy(attributes: Attributes, value: Value, name: string): Policy {
  const reading: Reading = {
    disabled: false,
    scope: {},
    checks: {},
    hasUnknownScope: false,
    hasUnknownChecks: false,
  };
  readAttributes(attributes, value, reading);
  const { disabled, checks, hasUnknownScope, hasUnknownChecks } = reading;
  const scope: Scope = reading.scope;
  const policy = { name, disabled, scope, checks };
  if (hasUnknownScope && hasUnknownChecks) return { ...policy, unknown: "both" };
  if (hasUnknownScope) return { ...policy, unknown: "scope" };
  return hasUnknownChecks ? { ...policy, unknown: "checks" } : policy;
}

/** The scopes of collections, by name. */
export type CollectionScopes = ReadonlyMap<string, Scope>;

/** Reads a list of named scopes; undefined while it is unknown, or if there is none. */
export function readCollectionScopes(value: Value | undefined): CollectionScopes | undefined {
  if (value === undefined || !isListValue(value)) return undefined;
  return new Map(
    value.filter(isObjectValue).map((one): [string, Scope] => {
      const fields = FIELDS.map((field) => [field, textsIn(memberOf(one, field))] as const);
      return [textsIn([one.name ?? null]).join(), Object.fromEntries(fields)];
    }),
  );
}

function textsIn(value: Value | undefined): readonly string[] {
  const patterns = value !== undefined && isListValue(value) ? value : [];
  return patterns.filter((pattern) => typeof pattern === "string");
}

/** The workloads that collections limit a policy to. */
export type ReadLimit =
  | { readonly union: readonly [Scope, ...Scope[]] }
  /** Their scopes are not known: equal texts are the same workloads. */
  | { readonly condition: string };

/**
 * The limit of the collections that a policy names: a workload of any of them is in it.
 *
 * @param names - null for none; undefined if the policy does not state them
 * @param unknown - the condition while the names are unknown
 */
export function limitOf(
  names: Value | undefined,
  scopes: CollectionScopes | undefined,
  unknown: string,
): ReadLimit | undefined {
  if (names === undefined || names === null) return undefined;
  if (!isListValue(names)) return { condition: unknown };
  const texts = [...new Set(textsIn(names))].sort();
  const [first, ...more] = texts.map((name) => scopes?.get(name));
  const others = more.filter((scope) => scope !== undefined);
  return first && others.length === more.length
    ? { union: [first, ...others] }
    : { condition: canonicalJson({ collections: texts }) };
}

/** The policy within a limit. Beside `resources` that restrict it too, its scope is unknown. */
export function limited(policy: Policy, limit: ReadLimit | undefined): Policy {
  if (!limit) return policy;
  const isOpen = Object.values(policy.scope).every((patterns = ["*"]) => patterns.join() === "*");
  if ("union" in limit && isOpen && isUnknownPart(policy)) return withScopes(policy, limit.union);
  const missing = "condition" in limit ? limit.condition : canonicalJson(limit.union);
  // A value that is known after apply is another one than before.
  if (policy.unknown === "checks") return { ...policy, unknown: "both" };
  return policy.unknown ? policy : { ...policy, unknown: "scope", missing };
}

const isUnknownPart = ({ unknown }: Policy) => unknown === undefined || unknown === "checks";

function readAttributes(attributes: Attributes, value: Value, reading: Reading): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    const member =
      value === UNKNOWN ? UNKNOWN : isObjectValue(value) ? (memberOf(value, name) ?? null) : null;
    readAttribute(name, attribute, member, reading);
  }
}

function readAttribute(name: string, attribute: Attribute, value: Value, reading: Reading): void {
  const { type } = attribute;
  const review = reviewOf(attribute);
  switch (review?.kind) {
    case "off-switch":
    case "on-switch":
      if (value === UNKNOWN) reading.hasUnknownScope = true;
      if (value === (review.kind === "off-switch")) reading.disabled = true;
      return;
    case "scope":
      if (isField(name)) readScope(name, value, reading);
      return;
    case "rules":
      readChecks(value, reading);
      return;
    default:
      if (type.kind === "object") readAttributes(type.attributes, value, reading);
  }
}

function isField(name: string): name is Field {
  return FIELDS.some((field) => field === name);
}

/** An unknown pattern can match anything that no other one exempts. */
function readScope(field: Field, value: Value, reading: Reading): void {
  if (value === null) return;
  const patterns = isListValue(value) ? value : [UNKNOWN];
  if (patterns.includes(UNKNOWN)) {
    reading.hasUnknownScope = true;
    return;
  }
  reading.scope[field] = patterns.filter((pattern) => typeof pattern === "string");
}

/** Assumes the weaker effect of one that is unknown. */
function readChecks(value: Value, reading: Reading): void {
  if (value === UNKNOWN) reading.hasUnknownChecks = true;
  if (!isObjectValue(value)) return;
  for (const [id, blocks] of Object.entries(value)) {
    if (blocks === UNKNOWN) reading.hasUnknownChecks = true;
    if (blocks !== null) setMember(reading.checks, id, blocks === true);
  }
}
