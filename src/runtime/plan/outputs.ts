import { hasErrors } from "../../provider/diagnostics";
import { terraformType } from "../../provider/schema/terraform";
import { isWhollyKnown, valuesEqual, type Value } from "../../provider/values";
import { kindAt } from "../evaluation/attributes";
import { checkConditions } from "../evaluation/conditions";
import { checkOutputMarks } from "../evaluation/validate";
import { unmark, type Evaluated } from "../expressions/evaluated";
import { formatSubject } from "../expressions/reference";
import { typeOf, typeToJson } from "../expressions/types";
import type { OutputNode } from "../graph/configuration";
import { toKnownValue, type Json } from "../state/json";
import type { OutputState } from "../state/state";
import type { OutputChange } from "./model";
import type { StackRun } from "./run";

/** Evaluates an output with what is known; undefined where that fails. */
export function evaluateOutput(run: StackRun, { config }: OutputNode): Evaluated | undefined {
  const { value, diagnostics } = config.value.evaluate(run.values);
  const found = [
    ...diagnostics,
    ...checkConditions(
      config.preconditions,
      run.values,
      config.where,
      "Module output value precondition",
    ),
  ];
  const problems = hasErrors(found) ? found : [...found, ...checkOutputMarks(config, value)];
  run.report(problems);
  return hasErrors(problems) ? undefined : value;
}

export function planOutput(run: StackRun, node: OutputNode): boolean {
  const value = evaluateOutput(run, node);
  if (value === undefined) return false;
  const change = outputChange(run, node.name, unmark(value).value, node.config.sensitive);
  run.outputs.set(node.name, { change, value });
  return true;
}

/** Plans the end of an output, with what state has of it. */
export function planOutputEnd(run: StackRun, name: string): void {
  const stored = run.storedOutput(name);
  if (!stored) return;
  const before = toKnownValue(stored.value);
  run.outputs.set(name, {
    change: { name, action: "delete", before, after: null, sensitive: stored.sensitive },
    value: undefined,
  });
}

/** An output that is null is none, as in Terraform. */
function outputChange(run: StackRun, name: string, after: Value, sensitive: boolean): OutputChange {
  const stored = run.storedOutput(name);
  const before = stored ? toKnownValue(stored.value) : null;
  if (after === null) {
    return { name, action: stored ? "delete" : "no-op", before, after, sensitive };
  }
  if (!stored) return { name, action: "create", before, after, sensitive };
  const same = valuesEqual(before, after) && stored.sensitive === sensitive;
  return { name, action: same ? "no-op" : "update", before, after, sensitive };
}

/** The output as state keeps it. Null for one that is null, or not known even now. */
export function encodeOutput(
  run: StackRun,
  { config }: OutputNode,
  evaluated: Evaluated,
): OutputState | null {
  const { value } = unmark(evaluated);
  if (value === null || !isWhollyKnown(value)) return null;
  return { value, type: outputType(run, config, evaluated), sensitive: config.sensitive };
}

/**
 * An attribute that is passed on as it is has the type of its schema. Other values have the type
 * that their look gives: what Terraform calls a list may be a tuple here, of the same values.
 */
function outputType(run: StackRun, { value }: OutputNode["config"], evaluated: Evaluated): Json {
  const { node } = value;
  if (node.kind === "reference" && node.reference.subject.kind === "resource") {
    const { subject, path } = node.reference;
    const [change] = run.changes.get(formatSubject(subject)) ?? [];
    const inside = change?.change.key === undefined ? path : path.slice(1);
    const kind = change && inside.length > 0 && kindAt(change.schema.attributes, inside);
    if (kind) return terraformType(kind);
  }
  return typeToJson(typeOf(evaluated)) as Json;
}
