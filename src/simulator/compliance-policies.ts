import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { complianceCheckSchema, compliancePolicySchema } from "../api/bodies";
import { DEFAULT_POLICIES } from "../api/default-policies";
import { jsonNumber } from "../core/json/json-number";
import { filledIn, isDocument, isInteger, type Document } from "./documents";

const sentCheckSchema = complianceCheckSchema.extend({
  id: jsonNumber.refine(isInteger, "must be an integer"),
});

/** Section 2.4, with the console's checks of a request. */
export const sentPolicySchema = compliancePolicySchema.extend({
  name: z.string().min(1, "must not be empty"),
  condition: z
    .looseObject({
      readonly: z.boolean().nullish(),
      device: z.string().nullish(),
      vulnerabilities: z.array(sentCheckSchema).nullish(),
    })
    .nullish(),
});

/**
 * Default values for members that a new policy lacks: of section 2.4, and three more that consoles
 * are known to have.
 */
const POLICY_TEMPLATE = {
  modified: "",
  owner: "",
  name: "",
  previousName: "",
  disabled: false,
  effect: "",
  resources: {
    hosts: ["*"],
    images: ["*"],
    labels: ["*"],
    containers: ["*"],
    namespaces: ["*"],
    accountIDs: ["*"],
  },
  action: [],
  condition: { readonly: false, device: "", vulnerabilities: [] },
  group: [],
  verbose: false,
  allCompliance: false,
  alertThreshold: { disabled: false, value: 0 },
  blockThreshold: { enabled: false, value: 0 },
  graceDays: 0,
  collections: [],
  notes: "",
  blockMsg: "",
} satisfies Document;

const CHECK_TEMPLATE = { block: false, minSeverity: 0 } satisfies Document;

/** Returns the policies of a fresh console. */
export function defaultPolicies(now: Date): readonly Document[] {
  return DEFAULT_POLICIES.map(({ name, checks }) => defaultPolicy(name, checks, now));
}

function defaultPolicy(name: string, checks: readonly number[], now: Date): Document {
  return complete(
    { name, condition: { vulnerabilities: checks.map((id) => ({ id })) } },
    "system",
    now,
  );
}

/**
 * Returns the policies after a PUT. Unchanged policies keep their `modified` and `owner`,
 * regardless of the values sent; new and changed policies get default values, the caller as owner
 * and the current time. Policies are matched by name, and by order among equal names.
 */
export function replacePolicies(
  before: readonly Document[],
  sent: readonly Document[],
  caller: string,
  now: Date,
): readonly Document[] {
  const byName = new Map<unknown, Document[]>();
  for (const policy of before) {
    byName.set(policy.name, [...(byName.get(policy.name) ?? []), policy]);
  }
  return sent.map((policy) => {
    const previous = byName.get(policy.name)?.shift();
    const completed = complete(policy, caller, now);
    const isUnchanged =
      previous !== undefined &&
      [policy, completed].some((form) => isDeepStrictEqual(content(form), content(previous)));
    return isUnchanged ? previous : completed;
  });
}

function complete(policy: Document, owner: string, now: Date): Document {
  const filled = filledIn({ ...policy, owner, modified: now.toISOString() }, POLICY_TEMPLATE);
  const { condition } = filled;
  if (!isDocument(condition) || !Array.isArray(condition.vulnerabilities)) return filled;
  const vulnerabilities = condition.vulnerabilities.map((check: unknown) =>
    isDocument(check) ? filledIn(check, CHECK_TEMPLATE) : check,
  );
  return { ...filled, condition: { ...condition, vulnerabilities } };
}

function content(policy: Document): Document {
  return { ...policy, modified: undefined, owner: undefined };
}
