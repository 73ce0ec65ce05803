import { mapMembers } from "../../core/member-of";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { marksWithin, unmark } from "../../core/marks";
import { typeOf } from "../../core/typed-values";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  isUnknownValue,
  isWhollyKnown,
  valuesEqual,
  type Evaluated,
  type ObjectValue,
  type PlainObject,
  type PlainValue,
  type Value,
} from "../../core/values";
import { encodeType } from "../../core/type-json";
import { storedType } from "../evaluation/stored-outputs";
import { checkOutputMarks } from "../validation/validate-node";
import type { OutputNode } from "../graph/configuration";
import { sameType } from "../../core/types";
import { knownPart } from "../../core/documents/partial-value";
import { toExactValue } from "../../core/documents/state-value";
import type { OutputState } from "../../core/documents/state";
import type { OutputChange } from "../../core/documents/stack-plan";
import { meets } from "./conditions";
import type { Planning, StackRun } from "./run";

/**
 * Evaluates an output with the values known so far; undefined if that fails.
 *
 * @param severity Of a precondition that fails. Default `error`.
 */
export function evaluateOutput(
  run: StackRun,
  { config }: OutputNode,
  severity?: Diagnostic["severity"],
): Evaluated | undefined {
  const { where, preconditions } = config;
  const object = { block: where.address, where, scope: run.values, severity };
  if (!meets(run, object, "precondition", preconditions)) return undefined;
  const { value, diagnostics } = config.value.evaluate(run.values);
  const problems = hasErrors(diagnostics)
    ? diagnostics
    : [...diagnostics, ...checkOutputMarks(config, value)];
  run.report(problems);
  return hasErrors(problems) ? undefined : value;
}

export function planOutput({ options }: Planning, run: StackRun, node: OutputNode): boolean {
  const value = evaluateOutput(run, node, options.conditions);
  if (value === undefined) return false;
  const change = outputChange(run, node.name, value, node.config.sensitive);
  run.outputs.set(node.name, { change, value });
  return true;
}

/** Plans the removal of outputs in the state: of those that have no block, or of all in a destroy. */
export function planOutputEnds({ options }: Planning, run: StackRun): void {
  for (const [name, { value, sensitive }] of Object.entries(run.state.current().outputs)) {
    if (options.mode !== "destroy" && run.context.nodes.outputs.has(name)) continue;
    const before = toExactValue(value);
    run.outputs.set(name, {
      change: { name, action: "delete", before, after: null, sensitive },
      value: undefined,
    });
  }
}

/**
 * Returns the change of an output. Null is an update, which removes it from the state, as in Terraform.
 *
 * @param hides True if the configuration declares it sensitive. Its text is also hidden if the state
 * does, or if it comes from another stack where it is sensitive.
 */
function outputChange(
  run: StackRun,
  name: string,
  evaluated: Evaluated,
  hides: boolean,
): OutputChange {
  const after = unmark(evaluated).value;
  const stored = run.storedOutput(name);
  const before = stored ? toExactValue(stored.value) : null;
  const isHidden = hides || marksWithin(evaluated).hidden;
  const sensitive = isHidden || stored?.sensitive === true;
  if (after === null && before === null) {
    return { name, action: "no-op", before, after, sensitive };
  }
  if (!stored) return { name, action: "create", before, after, sensitive };
  const same =
    valuesEqual(before, after) &&
    sameType(storedType(stored), typeOf(evaluated)) &&
    stored.sensitive === hides;
  return { name, action: same ? "no-op" : "update", before, after, sensitive };
}

/** Encodes an output for the state; null if it is null or unknown. */
export function encodeOutput(node: OutputNode, evaluated: Evaluated): OutputState | null {
  return isKnown(evaluated) ? encodeReached(node, evaluated) : null;
}

/** Stores the outputs that the plan knows, as the plan has them, and removes those that are null. */
export function storeKnownOutputs({ outputs, state, context }: StackRun): void {
  for (const [name, { value }] of outputs) {
    const node = context.nodes.outputs.get(name);
    if (!node || !isKnown(value)) continue;
    const encoded = encodeReached(node, value);
    const planned = knownPart(unmark(value).value) ?? null;
    state.setOutput(name, encoded && { ...encoded, value: planned });
  }
}

/** Reports whether the plan knows an output: an apply stores it at its start. */
export function isKnown(value: Evaluated | undefined): value is Evaluated {
  return value !== undefined && isWhollyKnown(unmark(value).value);
}

/**
 * Encodes an output after an apply. Values that are still unknown, as of objects that were not
 * selected, are null, as in Terraform.
 */
export function encodeReached(
  { config }: Pick<OutputNode, "config">,
  evaluated: Evaluated,
): OutputState | null {
  const { value } = unmark(evaluated);
  if (value === null) return null;
  return {
    value: withoutUnknown(value),
    type: encodeType(typeOf(evaluated)),
    sensitive: config.sensitive,
  };
}

/** Replaces unknown values by null, and negative zeros by zeros: no state has one. */
export function withoutUnknown(value: ObjectValue): PlainObject;
export function withoutUnknown(value: Value): PlainValue;
export function withoutUnknown(value: Value): PlainValue {
  if (isUnknownValue(value) || isNullValue(value)) return null;
  if (isListValue(value)) return value.map(withoutUnknown);
  if (!isObjectValue(value)) return value === 0 ? 0 : value;
  return mapMembers(value, (one) => withoutUnknown(one));
}
