import { z } from "zod";
import { mapMembers } from "../../core/member-of";
import type { OutputChange, ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import type { Attributes } from "../../core/schema/attribute";
import { nestedAttributes } from "../../core/schema/terraform";
import {
  isListValue,
  isNullValue,
  isObjectValue,
  UNKNOWN,
  valueAt,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { Providers } from "../evaluation/providers";
import { formatLine, parseLine } from "./file";
import { planContent, withSchemas } from "./plan-content";

/*
 * Plans that are reviewed on another machine. They have what a review shows, and no sensitive value:
 * nothing can be applied by them.
 */

const sharedPlan = planContent.extend({
  stack: z.string(),
  workspace: z.string().exactOptional(),
  recordsConfiguration: z.literal(true).exactOptional(),
});

export type SharedPlan = Omit<StackPlan, "diagnostics">;

/** Encodes a plan as JSON in one line, without its sensitive values. */
export function encodeSharedPlan(plan: StackPlan): string {
  const { changes, drift, outputs } = plan;
  const shared = {
    ...plan,
    changes: changes.map(withoutSecrets),
    drift: drift.map(withoutSecrets),
    outputs: outputs.map(withoutSecret),
  };
  return formatLine(z.encode(sharedPlan, shared));
}

/** Decodes a plan; undefined for a text that `encodeSharedPlan` has not made. */
export function decodeSharedPlan(line: string, providers: Providers): SharedPlan | undefined {
  const parsed = sharedPlan.safeParse(parseLine(Buffer.from(line)));
  if (!parsed.success) return undefined;
  const { stack, workspace, recordsConfiguration, ...content } = parsed.data;
  return {
    stack,
    ...(workspace !== undefined && { workspace }),
    ...(recordsConfiguration && { recordsConfiguration }),
    ...withSchemas(content, providers),
  };
}

/** In place of a value. Reviews hide it by its path. */
const HIDDEN = "(sensitive value)";

function withoutSecrets(change: ResourceChange): ResourceChange {
  const { before, after, beforeSensitive, afterSensitive, found, attributes, ...rest } = change;
  const paths = [...beforeSensitive, ...afterSensitive];
  const mayHide = paths.length > 0 || hasSensitive(attributes ?? {});
  const hidden = (path: AttributePath) => hiddenOf(valueAt(before, path), valueAt(after, path));
  const whole = {
    ...rest,
    attributes,
    beforeSensitive,
    afterSensitive,
    before: hiddenIn(before, paths, () => HIDDEN),
    after: hiddenIn(after, paths, hidden),
  };
  if (found === undefined) return whole;
  return mayHide ? { ...whole, isExcerpt: true } : { ...whole, found };
}

/** A change of a hidden value is one to a value that is not known. */
function hiddenOf(before: Value, after: Value): Value {
  return valuesEqual(before, after) ? HIDDEN : UNKNOWN;
}

function withoutSecret(output: OutputChange): OutputChange {
  const { before, after, sensitive } = output;
  if (!sensitive) return output;
  return {
    ...output,
    before: isNullValue(before) ? null : HIDDEN,
    after: isNullValue(after) ? null : hiddenOf(before, after),
  };
}

function hiddenIn(
  object: ObjectValue | null,
  paths: readonly AttributePath[],
  hidden: (path: AttributePath) => Value,
): ObjectValue | null {
  if (object === null || paths.some(({ length }) => length === 0)) return object && {};
  return paths.reduce<ObjectValue>((result, path) => {
    const replaced = replacedAt(result, path, hidden(path));
    return isObjectValue(replaced) ? replaced : result;
  }, object);
}

function replacedAt(value: Value, [step, ...rest]: AttributePath, replacement: Value): Value {
  if (step === undefined) return replacement;
  if (isListValue(value)) {
    return value.map((one, at) => (at === step ? replacedAt(one, rest, replacement) : one));
  }
  if (!isObjectValue(value)) return value;
  return mapMembers(value, (one, key) =>
    key === String(step) ? replacedAt(one, rest, replacement) : one,
  );
}

function hasSensitive(attributes: Attributes): boolean {
  return Object.values(attributes).some(
    ({ sensitive, type }) => sensitive === true || hasSensitive(nestedAttributes(type) ?? {}),
  );
}
