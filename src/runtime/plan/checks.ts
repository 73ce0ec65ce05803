import { compareStrings, memberOf, UNKNOWN } from "../../provider/values";
import type { Condition, ResourceConfig } from "../config/stack-config";
import { evaluateConditions } from "../evaluation/conditions";
import type { Location } from "../config/located";
import { repeat } from "../evaluation/repetition";
import { within } from "../evaluation/stack-values";
import { isList, isObject, unmarkRoot, type Evaluated } from "../expressions/evaluated";
import type { Scope } from "../expressions/scope";
import { formatAddress } from "../state/address";
import type { Json } from "../state/state-value";
import type { InstanceKey } from "../state/state";
import type { StackRun } from "./run";

interface Checked {
  readonly status: "pass" | "fail" | "unknown";
  /** The error messages of the conditions that failed. */
  readonly problems: readonly string[];
}

interface CheckedObject extends Checked {
  /** `terraform_data.a[0]`, `output.id`, `var.name` */
  readonly address: string;
}

const PASSED: Checked = { status: "pass", problems: [] };
const UNKNOWN_YET: Checked = { status: "unknown", problems: [] };

/** The progress of an apply: it has not checked what it has not reached. */
export interface Reached {
  readonly outputs: ReadonlySet<string>;
  /** Undefined for an instance that was to be made and was not. Absent where nothing was to be done. */
  instance?(address: string, key: InstanceKey | undefined): Evaluated | undefined;
}

/**
 * The results of all conditions in the format of the state, by address; null where there are none.
 * In a plan no condition has failed: that is an error.
 *
 * @param checked False for a destroy, which checks nothing.
 * @param reached Of an apply; undefined for a plan.
 */
export function checkResults(run: StackRun, checked: boolean, reached?: Reached): Json {
  const { variables, outputs, resources, dataSources } = run.context.config;
  const results = [
    ...[...variables.values()]
      .filter(({ validations }) => validations.length > 0)
      .map(({ name }) => {
        const address = `var.${name}`;
        return encodeResult("var", address, checked ? [{ address, ...PASSED }] : []);
      }),
    ...[...outputs.values()]
      .filter(({ preconditions }) => preconditions.length > 0)
      .map(({ name, preconditions, where }) => {
        const address = `output.${name}`;
        const isReached = checked && (reached?.outputs.has(name) ?? true);
        const result = isReached ? check(preconditions, run.values, where) : UNKNOWN_YET;
        return encodeResult("output", address, [{ address, ...result }]);
      }),
    ...[...resources.values(), ...dataSources.values()]
      .filter(({ lifecycle: { preconditions, postconditions } }) => {
        return preconditions.length + postconditions.length > 0;
      })
      .map((block) => {
        const objects = checked ? checkedInstances(run, block, reached) : [];
        return encodeResult("resource", block.address, objects);
      }),
  ];
  if (results.length === 0) return null;
  return results.sort((a, b) => compareStrings(a.config_addr, b.config_addr));
}

function encodeResult(kind: string, address: string, objects: readonly CheckedObject[]) {
  const encoded = objects.map(({ address: object, status, problems }) => ({
    object_addr: object,
    status,
    ...(problems.length > 0 && { failure_messages: problems }),
  }));
  return {
    object_kind: kind,
    config_addr: address,
    status: statusOfAll(objects),
    objects: encoded.length > 0 ? encoded : null,
  };
}

function statusOfAll(checked: readonly Checked[]): Checked["status"] {
  if (checked.some(({ status }) => status === "fail")) return "fail";
  const passed = checked.length > 0 && checked.every(({ status }) => status === "pass");
  return passed ? "pass" : "unknown";
}

function checkedInstances(
  run: StackRun,
  block: ResourceConfig,
  reached: Reached | undefined,
): readonly CheckedObject[] {
  const { mode, type, name, lifecycle } = block;
  const values = unmarkRoot(run.values.resource(mode, type, name) ?? UNKNOWN).value;
  return (repeat(block, run.values).instances ?? []).map(({ key, surroundings }) => {
    const scope = within(run.values, surroundings);
    const self = reached?.instance ? reached.instance(block.address, key) : instanceOf(values, key);
    const address = formatAddress({ mode, type, name, key });
    if (self === undefined) return { address, ...UNKNOWN_YET };
    const both = [
      check(lifecycle.preconditions, scope, block.where),
      check(lifecycle.postconditions, within(scope, { self }), block.where),
    ];
    return {
      address,
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
  const { status, diagnostics } = evaluateConditions(conditions, scope, where, "Check failed");
  return { status, problems: diagnostics.map(({ detail }) => detail) };
}
