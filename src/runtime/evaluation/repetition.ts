import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { mark, unmark, unmarkRoot } from "../../core/marks";
import { collectionTypeOf, isSet, typeOf } from "../../core/typed-values";
import {
  isObjectValue,
  isUnknownValue,
  UNKNOWN,
  type Evaluated,
  type Unmarked,
} from "../../core/values";
import {
  convert,
  errorAt,
  type Expression,
  formatLimit,
  LIMITS,
  type ResourceConfig,
  type EvaluationScope,
} from "../../language";
import { ANY, formatType, NUMBER } from "../../core/types";
import { compareKeys } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import type { Surroundings } from "./stack-values";

/** An instance of a resource: its key, and the values that its block has in addition. */
export interface Repeated {
  readonly key?: InstanceKey;
  readonly surroundings: Surroundings;
}

export interface Repetition {
  /** Undefined if their number is unknown or invalid. */
  readonly instances: readonly Repeated[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A block with `count` or `for_each`, or neither. */
export type Repeating = Pick<ResourceConfig, "forEach"> & Partial<Pick<ResourceConfig, "count">>;

/** Returns the instances of `count` or `for_each`; without either, one instance without a key. */
export function repeat(config: Repeating, scope: EvaluationScope): Repetition {
  if (config.count) return repeatCount(config.count, scope);
  if (config.forEach) return repeatEach(config.forEach, scope);
  return { instances: [{ surroundings: {} }], diagnostics: [] };
}

/**
 * Combines instances to the value of references: one object, a list, or an object by key. Missing
 * elements before the last one of a list are unknown, and instances with another kind of key are
 * left out, both as Terraform does it.
 *
 * @param unknown Returns the value of an instance that is not known. Default: without a type.
 */
export function combine(
  config: Repeating,
  values: Iterable<readonly [InstanceKey | undefined, Evaluated | undefined]>,
  unknown: () => Evaluated = () => UNKNOWN,
): Evaluated {
  const kind = config.count ? "number" : config.forEach ? "string" : "undefined";
  const known = new Map<InstanceKey | undefined, Evaluated>();
  for (const [key, value] of values) if (typeof key === kind) known.set(key, value ?? unknown());
  if (config.count) {
    const length = [...known.keys()].reduce<number>(
      (most, key) => Math.max(most, Number(key) + 1),
      0,
    );
    return Array.from({ length }, (_, index) => known.get(index) ?? unknown());
  }
  if (!config.forEach) return known.get(undefined) ?? unknown();
  const sorted = [...known].sort(([a], [b]) => compareKeys(a, b));
  return Object.fromEntries(sorted.map(([key, value]) => [String(key), value]));
}

/** Returns the instances like `repeat`. Unknown instances are an error. */
export function repeatKnown(config: Repeating, scope: EvaluationScope): Repetition {
  const { instances, diagnostics } = repeat(config, scope);
  const expression = config.count ?? config.forEach;
  if (instances || !expression || hasErrors(diagnostics)) return { instances, diagnostics };
  const name = config.count ? "count" : "for_each";
  const unknown = errorAt(
    expression.where,
    `Invalid ${name} argument`,
    `The "${name}" value depends on resource attributes that cannot be determined until apply, so the number of instances is unknown. Apply what it depends on first, or use known values.`,
  );
  return { instances, diagnostics: [...diagnostics, unknown] };
}

function repeatCount(expression: Expression, scope: EvaluationScope): Repetition {
  const evaluated = evaluateRoot(expression, scope, "count");
  const refuse = (reason: string): Repetition => ({
    instances: undefined,
    diagnostics: [errorAt(expression.where, "Invalid count argument", reason)],
  });
  if (evaluated.value === UNKNOWN || hasErrors(evaluated.diagnostics)) {
    return { instances: undefined, diagnostics: evaluated.diagnostics };
  }
  if (evaluated.value === null) {
    return refuse('The given "count" argument value is null. An integer is required.');
  }
  const { value, problems } = convert(evaluated.value, NUMBER);
  const unsuitable = 'The given "count" argument value is unsuitable: ';
  if (problems.length > 0 || typeof value !== "number") {
    return refuse(`${unsuitable}a number is required.`);
  }
  if (value < 0) return refuse(`${unsuitable}must be greater than or equal to zero.`);
  if (!Number.isInteger(value)) return refuse(`${unsuitable}must be a whole number.`);
  if (value > LIMITS.instances.value) return refuse(`${unsuitable}${TOO_MANY_INSTANCES}.`);
  return {
    instances: Array.from({ length: value }, (_, index) => ({
      key: index,
      surroundings: { countIndex: index },
    })),
    diagnostics: evaluated.diagnostics,
  };
}

function repeatEach(expression: Expression, scope: EvaluationScope): Repetition {
  const evaluated = evaluateRoot(expression, scope, "for_each");
  const { value, hidden, diagnostics } = evaluated;
  if (value === UNKNOWN || hasErrors(diagnostics)) return { instances: undefined, diagnostics };
  const members = eachMembers(value);
  const refuse = (reason: string): Repetition => {
    const summary = `Invalid for_each ${isSet(value) ? "set " : ""}argument`;
    const detail = `The given "for_each" argument value is unsuitable: ${reason}.`;
    return { instances: undefined, diagnostics: [errorAt(expression.where, summary, detail)] };
  };
  if (typeof members === "string") return refuse(members);
  if (members && members.length > LIMITS.instances.value) return refuse(TOO_MANY_INSTANCES);
  return {
    instances: members?.map(([key, member]) => ({
      key,
      surroundings: { each: { key, value: mark(member, { hidden }) } },
    })),
    diagnostics,
  };
}

const TOO_MANY_INSTANCES = `this executor supports up to ${formatLimit(LIMITS.instances)} instances`;

/** Returns the keys with their values, undefined if a key is unknown, or why there are none. */
function eachMembers(value: Unmarked): readonly [string, Evaluated][] | undefined | string {
  if (value === null) {
    return 'the given "for_each" argument value is null. A map, or set of strings is allowed';
  }
  if (isSet(value)) {
    if (value.some(isUnknownValue)) return undefined;
    const element = collectionTypeOf(value)?.element ?? ANY;
    if (value.length > 0 && element.kind !== "string") {
      return `"for_each" supports maps and sets of strings, but you have provided a set containing type ${formatType(element)}`;
    }
    const strings = value.filter((key) => typeof key === "string");
    return strings.length === value.length
      ? strings.map((key) => [key, key])
      : '"for_each" sets must not contain null values';
  }
  if (isObjectValue(value)) return Object.entries(value);
  return `the "for_each" argument must be a map, or set of strings, and a value of type ${formatType(typeOf(value))} was given`;
}

function evaluateRoot(
  expression: Expression,
  scope: EvaluationScope,
  name: "count" | "for_each",
): { value: Unmarked; hidden: boolean; diagnostics: readonly Diagnostic[] } {
  const { value, diagnostics } = expression.evaluate(scope);
  const root = unmarkRoot(value);
  const { hidden } = root.marks;
  const secret = unmark(value).marks.some(({ ephemeral }) => ephemeral)
    ? "Ephemeral"
    : name === "for_each" && root.marks.sensitive
      ? "Sensitive"
      : undefined;
  if (secret === undefined) return { value: root.value, hidden, diagnostics };
  return {
    value: UNKNOWN,
    hidden,
    diagnostics: [
      ...diagnostics,
      errorAt(
        expression.where,
        `Invalid ${name} argument`,
        `${secret} values, or values derived from them, cannot be used as ${name} arguments: they would be shown in the addresses of instances.`,
      ),
    ],
  };
}
