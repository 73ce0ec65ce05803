import type { Attributes } from "../../../src/core/schema/attribute";
import { compliancePolicySetAttributes } from "../../../src/provider/resources/compliance-policy-set";
import type { AttributePath, ObjectValue, Value } from "../../../src/core/values";
import type { Action, ResourceChange } from "../../../src/core/documents/stack-plan";

export interface Policy {
  readonly name?: Value;
  readonly disabled?: Value;
  readonly verbose?: boolean;
  readonly checks?: Value;
  /** The scopes that are not `*`. */
  readonly resources?: ObjectValue;
  readonly extra_json?: Value;
}

export function policy(name: Value, given: Omit<Policy, "name"> = {}): ObjectValue {
  const all = ["hosts", "images", "labels", "containers", "namespaces", "account_ids"];
  return {
    name,
    disabled: false,
    verbose: false,
    checks: { "41": true },
    ...given,
    resources: { ...Object.fromEntries(all.map((scope) => [scope, ["*"]])), ...given.resources },
  };
}

/** An update of a policy set; `undefined` for one that is not there. */
export function policyChange(
  before: Value | undefined,
  after: Value | undefined,
  given: Partial<ResourceChange> & { readonly object?: ObjectValue } = {},
): ResourceChange {
  const { object: around, ...change } = given;
  const object = (policies: Value | undefined, id: string): ObjectValue | null =>
    policies === undefined
      ? null
      : { id, ownership: "exclusive", in_position: true, ...around, policies };
  return resourceChange(
    compliancePolicySetAttributes,
    object(before, "container"),
    object(after, "container"),
    change,
  );
}

export function resourceChange(
  attributes: Attributes,
  before: ObjectValue | null,
  after: ObjectValue | null,
  change: Partial<ResourceChange> = {},
): ResourceChange {
  const action: Action = before === null ? "create" : after === null ? "delete" : "update";
  const sensitive: readonly AttributePath[] = [];
  return {
    address: "cwp_thing.main",
    mode: "managed",
    type: "cwp_thing",
    name: "main",
    provider: "registry.terraform.io/cdktf-console/cwp",
    action,
    before,
    after,
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
    replacePaths: [],
    attributes,
    ...change,
  };
}
