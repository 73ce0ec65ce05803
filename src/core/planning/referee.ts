import { onceForPairs } from "../alike";
import type { Attribute, Attributes } from "../schema/attribute";
import { visitObject, type Place } from "../schema/fold";
import { isComputed, nestedAttributes } from "../schema/terraform";
import type { Type } from "../types";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  isWhollyKnown,
  valueAt,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";
import { memberOf } from "../member-of";

/**
 * Checks a plan by Terraform's own rules, in the executor and in tests, so that a bug of the
 * provider shows before Terraform reports it: configured values are planned as configured or as in
 * the prior state; other values are null unless computed; write-only values are null.
 */
export function refereePlan(
  attributes: Attributes,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): readonly Diagnostic[] {
  return refereed(attributes, prior ?? NONE)(config, planned);
}

/** In place of the prior object of a create. */
const NONE: ObjectValue = {};

const refereed = onceForPairs((attributes: Attributes, prior: ObjectValue) =>
  onceForPairs((config: ObjectValue, planned: ObjectValue) =>
    findFaults(attributes, prior === NONE ? null : prior, config, planned),
  ),
);

function findFaults(
  attributes: Attributes,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  visitObject(attributes, config, (wanted, place, type) => {
    const { path } = place;
    const found = judge(type, place, wanted, valueAt(planned, path), valueAt(prior, path));
    faults.push(...(found ?? []));
    if (!found && type.kind === "object") {
      faults.push(...foreignMembers(type.attributes, planned, path));
    }
    return !found;
  });
  return faults;
}

/** The faults of a planned value; undefined if they depend on the objects inside it. */
function judge(
  type: Type<Attribute>,
  { path, attribute, isElement }: Place<Attribute>,
  wanted: Value,
  plan: Value,
  before: Value,
): readonly Diagnostic[] | undefined {
  if (!attribute) return undefined;
  if (isElement) return isObjectValue(wanted) ? judgeNested(type, wanted, plan, path) : [];
  if (attribute.writeOnly) {
    return plan === null ? [] : [fault("planned a value for a write-only attribute", path)];
  }
  if (wanted === null) {
    if (plan === null || isComputed(attribute)) return [];
    return [fault("planned a value that is not configured", path)];
  }
  if (!isUnknownValue(wanted) && nestedAttributes(type))
    return judgeNested(type, wanted, plan, path);
  if (valuesEqual(plan, wanted) || (before !== null && valuesEqual(plan, before))) return [];
  return [fault("planned another value than the configured one", path)];
}

function judgeNested(
  { kind }: Type<Attribute>,
  wanted: Value,
  plan: Value,
  path: AttributePath,
): readonly Diagnostic[] | undefined {
  if (isUnknownValue(plan))
    return [fault("planned unknown where the configuration is known", path)];
  if (plan === null) return [fault("left out a configured value", path)];
  if (kind !== "object" && size(wanted) !== size(plan)) {
    return [fault("planned another number of elements", path)];
  }
  return undefined;
}

function foreignMembers(
  attributes: Attributes,
  planned: ObjectValue,
  path: AttributePath,
): readonly Diagnostic[] {
  const object = valueAt(planned, path);
  if (!isObjectValue(object)) return [];
  return Object.keys(object)
    .filter((name) => !Object.hasOwn(attributes, name))
    .map((name) => fault("planned a value of no attribute", [...path, name]));
}

/** Checks the result of an apply: known planned values are kept, all others are known now. */
export function refereeResult(
  planned: Value,
  result: Value,
  path: AttributePath = [],
): Diagnostic[] {
  const isKnown = isWhollyKnown(result);
  if (!isKnown && (isUnknownValue(planned) || isUnknownValue(result))) {
    return [fault("left a value unknown after apply", path)];
  }
  if (isUnknownValue(planned) || (isKnown && valuesEqual(planned, result))) return [];
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
    `The provider ${what} at "${formatPath(path)}". This is a bug in the provider, not in the configuration. Please report it.`,
    path,
  );
}
