import { z } from "zod";
import { propName } from "../../constructs/naming";
import { readTextFile } from "../../core/io/read-file";
import { parseJson } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";
import type { Attributes } from "../../core/schema/attribute";
import { nestedAttributes } from "../../core/schema/terraform";
import { isListValue, isObjectValue } from "../../core/values";
import type { Policy } from "../../protection/policy";
import { scopeOfCollection } from "../../provider/collections/console-collections";
import {
  limited,
  limitOf,
  readCollectionScopes,
  readPolicy,
  type CollectionScopes,
} from "../../provider/collections/read-policy";
import type { FoundEntry } from "../../provider/review-hints";
import { policiesFromJson, policiesToJson } from "../../provider/functions/policies-json";
import {
  collectionsOf,
  compliancePolicyAttributes,
} from "../../provider/resources/compliance-policy";

/** Policies, or why there are none: a text for a line of a diagnostic. */
export type ReadPolicies = { readonly policies: readonly Policy[] } | { readonly fault: string };

/**
 * Reads a file of policies: as a console exports them, or as `policies` of a
 * `cwp_compliance_policy_set` or a CompliancePolicySet. Rejects if the file cannot be read.
 */
export async function readPolicyFile(path: string): Promise<ReadPolicies> {
  return policiesOf(await readTextFile(path));
}

/** Reads the JSON of policies, in one of the two forms. */
export function policiesOf(text: string): ReadPolicies {
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    return { fault: `it is not JSON: ${failure.message}` };
  }
  // A policy of a resource has its checks by ID; one of a console has them in its condition.
  const isConfigured = Array.isArray(content) && content.some((entry) => isMember(entry, "checks"));
  if (!isConfigured) return fromConsole(text);
  const given = z.json().parse(JSON.parse(text));
  const policies = Array.isArray(given)
    ? given.map((policy) => withAttributeNames(policy, compliancePolicyAttributes))
    : given;
  const written = policiesToJson.call([policies]);
  if ("error" in written) return { fault: written.error.text.replaceAll("\n", "; ") };
  return typeof written.value === "string"
    ? fromConsole(written.value)
    : { fault: "it has no policies" };
}

type Json = z.infer<ReturnType<typeof z.json>>;

/** Renames the props of constructs to attributes: an app and its contract can read one file. */
function withAttributeNames(value: Json, attributes: Attributes): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = new Map(Object.keys(attributes).map((name) => [propName(name), name]));
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const attribute = names.get(name) ?? name;
    const type = memberOf(attributes, attribute)?.type;
    const nested = type && nestedAttributes(type);
    return [attribute, nested ? withAttributeNames(member, nested) : member];
  });
  return Object.fromEntries(members);
}

function isMember(entry: unknown, name: string): boolean {
  return typeof entry === "object" && entry !== null && Object.hasOwn(entry, name);
}

function fromConsole(text: string): ReadPolicies {
  const read = policiesFromJson.call([text]);
  if ("error" in read) return { fault: read.error.text };
  const { value } = read;
  if (!isListValue(value)) return { fault: "it has no policies" };
  const scopes = scopesIn(parseJson(text));
  const entries = value.map((entry) => ({
    value: isObjectValue(entry) ? entry : {},
    isPartial: false,
  }));
  return { policies: policiesOn(entries, scopes) };
}

/** Reads the policies of a console, some of which it may limit in ways that are not known. */
export function policiesOn(
  entries: readonly FoundEntry[],
  scopes: CollectionScopes | undefined,
): readonly Policy[] {
  return entries.map(({ value, isPartial }, index) => {
    const name = typeof value.name === "string" ? value.name : "";
    const condition = `found ${index}`;
    const limit = isPartial ? { condition } : limitOf(collectionsOf(value), scopes, condition);
    return limited(readPolicy(compliancePolicyAttributes, value, name), limit);
  });
}

/** The collections that a console has written whole into its export of policies. */
function scopesIn(content: unknown): CollectionScopes | undefined {
  const rules: unknown = isRecord(content) ? content.rules : content;
  const named = (Array.isArray(rules) ? rules.filter(isRecord) : []).flatMap(({ collections }) =>
    Array.isArray(collections) ? collections.filter(isRecord) : [],
  );
  const whole = named.filter((one) => Object.keys(one).length > 1);
  return readCollectionScopes(whole.map(scopeOfCollection));
}
