import { isLosslessNumber } from "lossless-json";
import type { CompliancePolicy } from "../../api/bodies";
import { toNumber } from "../../api/json";
import { without } from "../collections/members";
import { valuesEqual, type ObjectValue } from "../values";

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
export function isBuiltIn(policy: CompliancePolicy, managed: ObjectValue): boolean {
  if (policy.owner === "system") return true;
  if (!BUILT_IN.some((builtIn) => valuesEqual(builtIn, managed))) return false;
  const { vulnerabilities, ...condition } = policy.condition ?? {};
  const checks = (vulnerabilities ?? []).map((check) => without(check, "id"));
  const others = without(policy, "name", "owner", "modified", "resources", "condition");
  return saysNothing([others, condition, checks]);
}

/** As a console fills in what nobody has set. */
function saysNothing(value: unknown): boolean {
  if (isLosslessNumber(value)) return toNumber(value) === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(saysNothing);
  return value === null || value === undefined || value === "" || value === 0 || value === false;
}
