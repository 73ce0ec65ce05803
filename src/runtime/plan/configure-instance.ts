import { hasErrors } from "../../core/diagnostics";
import type { Attributes } from "../../core/schema/attribute";
import { dynamicTypeOf, withDynamicType } from "../../core/schema/dynamic";
import { withTypeWithin } from "../../core/schema/dynamic-paths";
import { isConfigurable } from "../../core/schema/terraform";
import { ANY } from "../../core/types";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
  valueAt,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { memberOf } from "../../core/member-of";
import { type Lifecycle, locate, plainStep, type TraversalStep } from "../../language";
import { dynamicTypeAt, isMapAt, lengthToDynamic } from "../evaluation/attributes";
import { conformBody, type MarkedObject } from "../evaluation/conform";
import { within, type Surroundings } from "../evaluation/stack-values";
import { isTainted, marked, type StoredObject } from "../evaluation/stored-objects";
import type { PathMarks } from "../../core/marks";
import { pathOfSteps, reach } from "./attribute-steps";
import type { ConfiguredInstance } from "./planned-instance";
import type { StackRun } from "./run";
import type { Target } from "./target";

/**
 * Evaluates an instance's block with the values known so far, and validates it.
 *
 * @param prior The object of the instance. A tainted one is planned as if it did not exist.
 */
export function configureInstance(
  { values, context }: StackRun,
  { provider, schema, where, connection, config }: Target,
  surroundings: Surroundings,
  prior?: StoredObject,
): ConfiguredInstance {
  if (!config) throw new Error(`${where.address} has no configuration`);
  const scope = within(values, surroundings);
  const configured = conformBody(config.body, schema.attributes, scope, where);
  if (hasErrors(configured.diagnostics)) return { ...configured, effective: configured };
  const invalid = context.validations.validate(provider, config, configured, connection);
  const { ignoreChanges: ignored } = config.lifecycle;
  return {
    ...configured,
    diagnostics: [...configured.diagnostics, ...locate(invalid, where)],
    effective:
      prior && !isTainted(prior) && ignored.length > 0
        ? ignoreChanges(schema.attributes, configured, prior, ignored)
        : configured,
  };
}

/**
 * Returns the configuration with the values of `ignore_changes` taken from the prior object, with
 * their marks. Write-only attributes, which have no prior value, and computed ones stay as configured.
 * An address that does not lead to a value in both objects has no effect, as in Terraform.
 */
function ignoreChanges(
  attributes: Attributes,
  config: MarkedObject,
  object: StoredObject,
  ignored: Lifecycle["ignoreChanges"],
): MarkedObject {
  const prior = marked(object);
  if (ignored === "all") {
    return Object.keys(attributes)
      .filter((name) => isRetained(attributes, name))
      .reduce(
        (current, name) => retain(current, prior, [name], memberOf(prior.value, name) ?? null),
        config,
      );
  }
  return ignored
    .filter(([root]) => root !== undefined && isRetained(attributes, plainStep(root)))
    .reduce((current, steps) => ignore(attributes, current, prior, steps), config);
}

function isRetained(attributes: Attributes, name: string | number): boolean {
  const attribute = Object.hasOwn(attributes, name) ? memberOf(attributes, name) : undefined;
  return attribute !== undefined && isConfigurable(attribute) && attribute.writeOnly !== true;
}

function ignore(
  attributes: Attributes,
  config: MarkedObject,
  prior: MarkedObject,
  steps: readonly TraversalStep[],
): MarkedObject {
  const last = steps.at(-1);
  const key = typeof last === "object" ? last.key : undefined;
  // A key of something else than a map names all of it, as in Terraform.
  const parents = key === undefined ? steps : steps.slice(0, -1);
  const path = pathOfSteps(attributes, prior.value, parents);
  if (!path || !pathOfSteps(attributes, config.value, parents)) return config;
  const at = { attributes, config, path };
  const before = reach(prior.value, path);
  const configured = reach(config.value, path);
  if (before === undefined || configured === undefined) return config;
  if (!isMapAt(attributes, config.value, path)) {
    return typed(at, prior, retain(config, prior, path, before));
  }
  if (isUnknownValue(configured)) return config;
  if (key === undefined) return retain(config, prior, path, before);
  const kept = isObjectValue(before) ? memberOf(before, key) : undefined;
  const members = isObjectValue(configured) ? Object.entries(configured) : [];
  const others = members.filter(([name]) => name !== key);
  if (kept === undefined && configured === null) return config;
  const merged: ObjectValue = Object.fromEntries(
    kept === undefined ? others : [...others, [key, kept] as const],
  );
  return typed(at, config, {
    value: replaced(config.value, path, merged),
    marks: marksFrom(config, prior, [...path, key]),
  });
}

/** Adds its type to a value again that was changed within; it is of a type of `source`. */
function typed(
  {
    attributes,
    config,
    path,
  }: {
    readonly attributes: Attributes;
    readonly config: MarkedObject;
    readonly path: AttributePath;
  },
  source: MarkedObject,
  changed: MarkedObject,
): MarkedObject {
  const length = lengthToDynamic(attributes, path);
  if (length === undefined) return changed;
  const [root, inside] = [path.slice(0, length), path.slice(length)];
  const taken = dynamicTypeAt(attributes, source.value, path) ?? ANY;
  const type = withTypeWithin(dynamicTypeOf(valueAt(config.value, root)), inside, taken);
  const value = withDynamicType(valueAt(changed.value, root), type);
  return { ...changed, value: replaced(changed.value, root, value) };
}

/** Takes the value at a path, with its marks, from the prior object. */
function retain(
  config: MarkedObject,
  prior: MarkedObject,
  path: AttributePath,
  value: Value,
): MarkedObject {
  return { value: replaced(config.value, path, value), marks: marksFrom(config, prior, path) };
}

/** Replaces the value at a path that exists. */
function replaced(object: ObjectValue, [step, ...rest]: AttributePath, value: Value): ObjectValue {
  const name = String(step);
  return { ...object, [name]: replacedIn(memberOf(object, name) ?? null, rest, value) };
}

function replacedIn(current: Value, path: AttributePath, value: Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isObjectValue(current)) return replaced(current, path, value);
  if (!isListValue(current)) return current;
  return current.map((member, index) =>
    index === step ? replacedIn(member, rest, value) : member,
  );
}

function marksFrom(config: MarkedObject, prior: MarkedObject, path: AttributePath) {
  const isWithin = (mark: PathMarks) => path.every((step, index) => mark.path[index] === step);
  return [...config.marks.filter((mark) => !isWithin(mark)), ...prior.marks.filter(isWithin)];
}
