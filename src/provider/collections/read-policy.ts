import { memberOf, setMember } from "../../core/member-of";
import { FIELDS, type Field, type Policy, type Scope } from "../../protection/policy";
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
