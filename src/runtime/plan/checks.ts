import { compareStrings, UNKNOWN } from "../../provider/values";
import type { Condition, ResourceConfig } from "../config/stack-config";
import { repeat } from "../evaluation/repetition";
import { within } from "../evaluation/stack-values";
import { convert } from "../expressions/convert";
import {
  isList,
  isObject,
  memberOf,
  unmark,
  unmarkRoot,
  type Evaluated,
} from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { BOOL } from "../expressions/types";
import type { InstanceKey } from "../state/state";
import type { StackRun } from "./run";

/** What came of the conditions of a block. None has failed: then there were no plan. */
export interface CheckResult {
  readonly subject:
    | { readonly kind: "resource"; readonly block: ResourceConfig }
    | { readonly kind: "output_value" | "var"; readonly name: string };
  /** `terraform_data.a`, `output.id`, `var.name` */
  readonly address: string;
  readonly status: CheckStatus;
  /** Empty where nothing was checked, as in a destroy. */
  readonly instances: readonly CheckedInstance[];
}

export type CheckStatus = "pass" | "unknown";

export interface CheckedInstance {
  readonly key?: InstanceKey;
  readonly status: CheckStatus;
}

/** The conditions of all blocks that have some, by address. A destroy checks nothing. */
export function checkResults(run: StackRun, checked: boolean): readonly CheckResult[] {
  const { variables, outputs, resources, dataSources } = run.context.config;
  const values: CheckResult[] = [
    ...[...variables.values()]
      .filter(({ validations }) => validations.length > 0)
      .map(({ name }): CheckResult => {
        const instances: readonly CheckedInstance[] = checked ? [{ status: "pass" }] : [];
        return resultOf({ kind: "var", name }, `var.${name}`, instances);
      }),
    ...[...outputs.values()]
      .filter(({ preconditions }) => preconditions.length > 0)
      .map(({ name, preconditions }) => {
        const instances = checked ? [{ status: statusOf(preconditions, run.values) }] : [];
        return resultOf({ kind: "output_value", name }, `output.${name}`, instances);
      }),
  ];
  const blocks = [...resources.values(), ...dataSources.values()].filter(
    ({ lifecycle }) => lifecycle.preconditions.length + lifecycle.postconditions.length > 0,
  );
  const ofBlocks = blocks.map((block) => {
    const instances = checked ? checkedInstances(run, block) : [];
    return resultOf({ kind: "resource", block }, block.address, instances);
  });
  return [...values, ...ofBlocks].sort((a, b) => compareStrings(a.address, b.address));
}

function resultOf(
  subject: CheckResult["subject"],
  address: string,
  instances: readonly CheckedInstance[],
): CheckResult {
  const passed = instances.length > 0 && instances.every(({ status }) => status === "pass");
  return { subject, address, status: passed ? "pass" : "unknown", instances };
}

function checkedInstances(run: StackRun, block: ResourceConfig): readonly CheckedInstance[] {
  const { mode, type, name, lifecycle } = block;
  const values = unmarkRoot(run.values.resource(mode, type, name) ?? UNKNOWN).value;
  return (repeat(block, run.values).instances ?? []).map(({ key, surroundings }) => {
    const scope = within(run.values, surroundings);
    const self = instanceOf(values, key);
    const statuses = [
      statusOf(lifecycle.preconditions, scope),
      statusOf(lifecycle.postconditions, within(scope, { self })),
    ];
    const status = statuses.includes("unknown") ? "unknown" : "pass";
    return { ...(key !== undefined && { key }), status };
  });
}

function instanceOf(values: Evaluated, key: InstanceKey | undefined): Evaluated {
  if (key === undefined) return values;
  if (isList(values)) return values[Number(key)] ?? UNKNOWN;
  return isObject(values) ? (memberOf(values, String(key)) ?? UNKNOWN) : UNKNOWN;
}

function statusOf(conditions: readonly Condition[], scope: Scope): CheckStatus {
  const known = conditions.every(({ condition }) => {
    const { value } = condition.evaluate(scope);
    return unmark(convert(value, BOOL).value).value !== UNKNOWN;
  });
  return known ? "pass" : "unknown";
}
