import { onceForPairs } from "../alike";
import type { Attribute, Attributes } from "../schema/attribute";
import { visitObject, type Place } from "../schema/fold";
import { isComputed, nestedAttributes } from "../schema/terraform";
import { ANY, type Type } from "../types";
import { dynamicTypeOf } from "../schema/dynamic";
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
  const sides = { prior, planned };
  visitObject(attributes, config, (wanted, place, type) => {
    const { path } = place;
    const found = judge(type, place, wanted, sides);
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
  { prior, planned }: { readonly prior: ObjectValue | null; readonly planned: ObjectValue },
): readonly Diagnostic[] | undefined {
  if (!attribute) return undefined;
  const plan = valueAt(planned, path);
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
  if (valuesEqual(plan, wanted)) return [];
  const before = valueAt(prior, path);
  if (before !== null && valuesEqual(plan, before)) return [];
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
  type: Type = ANY,
): readonly Diagnostic[] {
  return deviations(planned, result, type, { complete: true }).map((path) =>
    isWhollyKnown(valueAt(result, path))
      ? fault("made another value than the planned one", path)
      : fault("left a value unknown after apply", path),
  );
}

/** The value itself deviates. */
const HERE: readonly AttributePath[] = [[]];

/**
 * Lists the paths at which a later value is another one than what was planned: only unknown values
 * may differ. Each element of a set needs one on the other side that it may have become: elements
 * that become known may equal others, and sort anywhere.
 *
 * @param type The type of the planned value. A value of any type carries its own.
 * @param options With `complete`, a value that is still unknown differs.
 */
export function deviations(
  planned: Value,
  later: Value,
  type: Type,
  options: { readonly complete?: boolean } = {},
): readonly AttributePath[] {
  const isOpen = options.complete === true && !isWhollyKnown(later);
  if (isUnknownValue(planned)) return isOpen ? HERE : [];
  if (!isOpen && valuesEqual(planned, later)) return [];
  const own = type.kind === "any" ? dynamicTypeOf(planned) : type;
  if (isListValue(planned) && isListValue(later)) {
    if (own.kind === "set") {
      const isKept = correlates(planned, later, (one, other) => {
        return deviations(one, other, own.element, options).length === 0;
      });
      return isKept && later.length <= planned.length ? [] : HERE;
    }
    if (planned.length === later.length) {
      return planned.flatMap((one, index) => {
        const element = own.kind === "tuple" ? own.elements[index] : elementOf(own);
        const found = deviations(one, later[index] ?? null, element ?? ANY, options);
        return found.map((path) => [index, ...path]);
      });
    }
  }
  if (isObjectValue(planned) && isObjectValue(later)) {
    const names = [...new Set([...Object.keys(planned), ...Object.keys(later)])];
    return names.flatMap((name) => {
      const member = own.kind === "object" ? memberOf(own.attributes, name)?.type : elementOf(own);
      const other = memberOf(later, name) ?? null;
      const found = deviations(memberOf(planned, name) ?? null, other, member ?? ANY, options);
      return found.map((path) => [name, ...path]);
    });
  }
  return HERE;
}

/** Reports whether each element of a set becomes one of another, and each of that was one. */
function correlates(
  planned: readonly Value[],
  later: readonly Value[],
  becomes: (one: Value, other: Value) => boolean,
): boolean {
  // Most elements are strings that stay.
  const after = new Set(later);
  const kept = new Set(planned.filter((one) => typeof one === "string" && after.has(one)));
  return (
    planned.every((one) => kept.has(one) || later.some((other) => becomes(one, other))) &&
    later.every((other) => kept.has(other) || planned.some((one) => becomes(one, other)))
  );
}

function elementOf(type: Type): Type | undefined {
  return "element" in type ? type.element : undefined;
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
