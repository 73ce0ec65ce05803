import { compareStrings, memberOf, UNKNOWN } from "../../provider/values";
import type { Condition, ResourceConfig } from "../config/stack-config";
import { checkConditions } from "../evaluation/conditions";
import type { Location } from "../evaluation/located";
import { repeat } from "../evaluation/repetition";
import { within } from "../evaluation/stack-values";
import { convert } from "../expressions/convert";
import { isList, isObject, unmark, unmarkRoot, type Evaluated } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { BOOL } from "../expressions/types";
import type { CheckedInstance, CheckResult, CheckStatus } from "../documents/plan-document";
import type { InstanceKey } from "../state/state";
import type { StackRun } from "./run";

type Checked = Omit<CheckedInstance, "key">;

const PASSED: Checked = { status: "pass", problems: [] };
const UNKNOWN_YET: Checked = { status: "unknown", problems: [] };

/** How far an apply has come: what it has not reached, it has not checked. */
export interface Reached {
  readonly outputs: ReadonlySet<string>;
  /** Undefined for an instance that was to be made and was not. Absent where nothing was to be done. */
  instance?(address: string, key: InstanceKey | undefined): Evaluated | undefined;
}

/**
 * The conditions of all blocks that have some, by address. A destroy checks nothing.
 *
 * @param reached Of an apply; undefined for a plan.
 */
export function checkResults(
  run: StackRun,
  checked: boolean,
  reached?: Reached,
): readonly CheckResult[] {
  const { variables, outputs, resources, dataSources } = run.context.config;
  const values: CheckResult[] = [
    ...[...variables.values()]
      .filter(({ validations }) => validations.length > 0)
      .map(({ name }): CheckResult => {
        const instances: readonly CheckedInstance[] = checked ? [PASSED] : [];
        return resultOf({ kind: "var", name }, `var.${name}`, instances);
      }),
    ...[...outputs.values()]
      .filter(({ preconditions }) => preconditions.length > 0)
      .map(({ name, preconditions, where }) => {
        const isReached = checked && (reached?.outputs.has(name) ?? true);
        const instances = [isReached ? check(preconditions, run.values, where) : UNKNOWN_YET];
        return resultOf({ kind: "output_value", name }, `output.${name}`, instances);
      }),
  ];
  const blocks = [...resources.values(), ...dataSources.values()].filter(
    ({ lifecycle }) => lifecycle.preconditions.length + lifecycle.postconditions.length > 0,
  );
  const ofBlocks = blocks.map((block) => {
    const instances = checked ? checkedInstances(run, block, reached) : [];
    const { mode, type, name, address } = block;
    return resultOf({ kind: "resource", mode, type, name }, address, instances);
  });
  return [...values, ...ofBlocks].sort((a, b) => compareStrings(a.address, b.address));
}

function resultOf(
  subject: CheckResult["subject"],
  address: string,
  instances: readonly CheckedInstance[],
): CheckResult {
  return { subject, address, status: statusOfAll(instances), instances };
}

function statusOfAll(checked: readonly Checked[]): CheckStatus {
  if (checked.some(({ status }) => status === "fail")) return "fail";
  const passed = checked.length > 0 && checked.every(({ status }) => status === "pass");
  return passed ? "pass" : "unknown";
}

function checkedInstances(
  run: StackRun,
  block: ResourceConfig,
  reached: Reached | undefined,
): readonly CheckedInstance[] {
  const { mode, type, name, lifecycle } = block;
  const values = unmarkRoot(run.values.resource(mode, type, name) ?? UNKNOWN).value;
  return (repeat(block, run.values).instances ?? []).map(({ key, surroundings }) => {
    const scope = within(run.values, surroundings);
    const self = reached?.instance ? reached.instance(block.address, key) : instanceOf(values, key);
    if (self === undefined) return { ...(key !== undefined && { key }), ...UNKNOWN_YET };
    const both = [
      check(lifecycle.preconditions, scope, block.where),
      check(lifecycle.postconditions, within(scope, { self }), block.where),
    ];
    return {
      ...(key !== undefined && { key }),
      status: statusOfAll(both),
      problems: both.flatMap(({ problems }) => problems),
    };
  });
}

function instanceOf(values: Evaluated, key: InstanceKey | undefined): Evaluated {
  if (key === undefined) return values;
  if (isList(values)) return values[Number(key)] ?? UNKNOWN;
  return isObject(values) ? (memberOf(values, String(key)) ?? UNKNOWN) : UNKNOWN;
}

function check(conditions: readonly Condition[], scope: Scope, where: Location): Checked {
  const problems = checkConditions(conditions, scope, where, "Condition").map(
    ({ detail }) => detail,
  );
  if (problems.length > 0) return { status: "fail", problems };
  const known = conditions.every(({ condition }) => {
    const { value } = condition.evaluate(scope);
    return unmark(convert(value, BOOL).value).value !== UNKNOWN;
  });
  return known ? PASSED : UNKNOWN_YET;
}
