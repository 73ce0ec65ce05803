import type { Attribute, Attributes } from "../schema/attribute";
import { isComputed, nestedAttributes } from "../schema/terraform";
import { nestedObjects } from "../schema/walk";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import {
  isListValue,
  isObjectValue,
  isWhollyKnown,
  memberOf,
  UNKNOWN,
  valueAt,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";

/**
 * What Terraform itself holds against every plan, checked by the executor and in tests, so that a
 * mistake of the provider shows before Terraform reports it: configured values are planned as they
 * are (or stay as they were), unknown ones too; what is not configured is null unless it is
 * computed; write-only values are null.
 */
export function refereePlan(
  attributes: Attributes,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
  path: AttributePath = [],
): Diagnostic[] {
  const foreign = Object.keys(planned)
    .filter((name) => !Object.hasOwn(attributes, name))
    .map((name) => fault("planned a value of no attribute", [...path, name]));
  const faults = Object.entries(attributes).flatMap(([name, attribute]) => {
    const here = [...path, name];
    const before = prior?.[name] ?? null;
    const wanted = config[name] ?? null;
    const plan = planned[name] ?? null;
    if (attribute.writeOnly) {
      return plan === null ? [] : [fault("planned a value for a write-only attribute", here)];
    }
    if (wanted === null && isComputed(attribute)) return [];
    if (wanted === null) {
      return plan === null ? [] : [fault("planned a value that is not configured", here)];
    }
    if (wanted !== UNKNOWN && nestedAttributes(attribute.type)) {
      return refereeNested(attribute, before, wanted, plan, here);
    }
    if (valuesEqual(plan, wanted) || (before !== null && valuesEqual(plan, before))) return [];
    return [fault("planned another value than the configured one", here)];
  });
  return [...faults, ...foreign];
}

function refereeNested(
  attribute: Attribute,
  prior: Value,
  config: Value,
  planned: Value,
  path: AttributePath,
): Diagnostic[] {
  const nested = nestedAttributes(attribute.type) ?? {};
  if (planned === UNKNOWN) return [fault("planned unknown where the configuration is known", path)];
  if (planned === null) return [fault("left out a configured value", path)];
  if (attribute.type.kind !== "object" && size(config) !== size(planned)) {
    return [fault("planned another number of elements", path)];
  }
  return nestedObjects(attribute, config).flatMap(([step, member]) => {
    const before = valueAt(prior, step);
    const plan = valueAt(planned, step);
    const here = [...path, ...step];
    if (plan === UNKNOWN) {
      return [fault("planned unknown where the configuration is known", here)];
    }
    if (!isObjectValue(plan)) return [fault("left out a configured object", here)];
    return refereePlan(nested, isObjectValue(before) ? before : null, member, plan, here);
  });
}

/** Whether what came of an apply is what was planned: what was known is kept, the rest is known. */
export function refereeResult(
  planned: Value,
  result: Value,
  path: AttributePath = [],
): Diagnostic[] {
  const isKnown = isWhollyKnown(result);
  if (!isKnown && (planned === UNKNOWN || result === UNKNOWN)) {
    return [fault("left a value unknown after apply", path)];
  }
  if (planned === UNKNOWN || (isKnown && valuesEqual(planned, result))) return [];
  if (isListValue(planned) && isListValue(result) && planned.length === result.length) {
    return planned.flatMap((member, index) =>
      refereeResult(member, result[index] ?? null, [...path, index]),
    );
  }
  if (isObjectValue(planned) && isObjectValue(result)) {
    const keys = [...new Set([...Object.keys(planned), ...Object.keys(result)])];
    return keys.flatMap((key) =>
      refereeResult(memberOf(planned, key) ?? null, memberOf(result, key) ?? null, [...path, key]),
    );
  }
  return [fault("made another value than the planned one", path)];
}

function size(value: Value): number {
  if (isListValue(value)) return value.length;
  return isObjectValue(value) ? Object.keys(value).length : 0;
}

function fault(what: string, path: AttributePath): Diagnostic {
  return error(
    "Provider produced an inconsistent result",
    `The provider ${what} at "${formatPath(path)}". This is a bug in the provider, not in the configuration: please report it.`,
    path,
  );
}
