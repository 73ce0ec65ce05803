import { mapMembers, memberOf } from "../member-of";
import { onceForEach, onceForPairs } from "../alike";
import type { Attribute, Attributes } from "../schema/attribute";
import { sameDynamic } from "../schema/dynamic";
import { buildsValues, foldObject, readsValues, type Place } from "../schema/fold";
import { isConfigurable, nestedAttributes } from "../schema/terraform";
import {
  UNKNOWN,
  isNullValue,
  isObjectValue,
  valueAt,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";

/** The input of a planning step. `planned` begins as the configuration. */
export interface AttributePlanning {
  readonly attributes: Attributes;
  readonly config: ObjectValue;
  /** Null on create. */
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue;
}

export type PlanningStep = (planning: AttributePlanning) => ObjectValue;

/**
 * The steps from configuration and prior state to the planned state; pure. Changes that need the
 * whole resource or the console follow in the resource's `modifyPlan`.
 */
const PIPELINE: readonly PlanningStep[] = [
  fillDefaults,
  nullWriteOnly,
  keepEquivalent,
  keepComputed,
  computeAttributes,
  markComputedUnknown,
];

export function planObject(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
): ObjectValue {
  return prior ? planChange(attributes)(config, prior) : planNew(attributes, config);
}

const planChange = onceForEach((attributes: Attributes) =>
  onceForPairs((config: ObjectValue, prior: ObjectValue) => plan(attributes, config, prior)),
);

const planNew = onceForPairs((attributes: Attributes, config: ObjectValue) =>
  plan(attributes, config, null),
);

function plan(attributes: Attributes, config: ObjectValue, prior: ObjectValue | null): ObjectValue {
  return PIPELINE.reduce((planned, step) => step({ attributes, config, prior, planned }), config);
}

/**
 * The configuration without computed attributes, which engines fill from the state where
 * `ignore_changes` names them.
 */
export const configuredOnly = onceForPairs(
  (attributes: Attributes, config: ObjectValue): ObjectValue =>
    mapMembers(config, (value, name) => {
      const attribute = memberOf(attributes, name);
      return attribute && !isConfigurable(attribute) ? null : value;
    }),
);

/**
 * The configuration for validation, also without the computed attributes of nested objects. Plans keep
 * these: the configuration of an ignored credential has the fingerprint of its secret, not the secret.
 */
export const withoutComputed = onceForPairs(
  (attributes: Attributes, config: ObjectValue): ObjectValue =>
    mapAttributes({ attributes, config, prior: null, planned: config }, ({ attribute, value }) =>
      isConfigurable(attribute) ? value : null,
    ),
);

/** From the configuration alone: a member of the prior list may have another position now. */
export function fillDefaults(planning: AttributePlanning): ObjectValue {
  return mapAttributes(planning, ({ attribute, value, place }) =>
    value === null && attribute.default !== undefined
      ? defaultOf(attribute, holder(planning.planned, place.path))
      : value,
  );
}

function defaultOf({ default: value = null, inPlaceOf }: Attribute, object: ObjectValue | null) {
  const other = inPlaceOf === undefined ? null : (memberOf(object, inPlaceOf) ?? null);
  if (other === null) return value;
  return other === UNKNOWN ? UNKNOWN : null;
}

export function nullWriteOnly(planning: AttributePlanning): ObjectValue {
  return mapAttributes(planning, ({ attribute, value }) => (attribute.writeOnly ? null : value));
}

/** Keeps the prior text where the planned one means the same; see `Facets.equivalent`. */
export function keepEquivalent(planning: AttributePlanning): ObjectValue {
  return mapAttributes(planning, ({ attribute, value, place }) => {
    if (!attribute.equivalent || typeof value !== "string") return value;
    const before = valueAt(planning.prior, place.path);
    return typeof before === "string" && attribute.equivalent(value, before) ? before : value;
  });
}

/** Keeps what the provider once set where the configuration sets nothing. */
export function keepComputed(planning: AttributePlanning): ObjectValue {
  const { config, prior } = planning;
  return mapAttributes(planning, (member) => {
    if (!isLeftToProvider(member, config)) return member.value;
    const { path } = member.place;
    const before = priorHolder(prior, path);
    return before === null ? UNKNOWN : valueAt(before, path.slice(-1));
  });
}

/** Sets the attributes that compute their own planned value. */
export function computeAttributes(planning: AttributePlanning): ObjectValue {
  const { config, prior } = planning;
  return mapAttributes(planning, (member) => {
    const { attribute, place, value } = member;
    if (!attribute.plan || !isLeftToProvider(member, config)) return value;
    const { path } = place;
    return attribute.plan({ config: holder(config, path) ?? {}, prior: priorHolder(prior, path) });
  });
}

/**
 * Makes computed attributes unknown in an update, unless the attribute is `stable` or has computed
 * its plan.
 */
export function markComputedUnknown(planning: AttributePlanning): ObjectValue {
  const { config, prior, planned } = planning;
  if (prior === null || valuesEqual(planned, prior)) return planned;
  return mapAttributes(planning, (member) => {
    const { stable, plan } = member.attribute;
    return isLeftToProvider(member, config) && !stable && !plan ? UNKNOWN : member.value;
  });
}

/**
 * The attributes whose change from `prior` to `planned` requires a replacement. A difference inside
 * a list is a difference of the list.
 */
export function replacePaths(
  attributes: Attributes,
  prior: ObjectValue,
  planned: ObjectValue,
  path: AttributePath = [],
): AttributePath[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const before = memberOf(prior, name) ?? null;
    const after = memberOf(planned, name) ?? null;
    if (isEqual(attribute, before, after)) return [];
    const here = [...path, name];
    const { requiresReplace: replaces } = attribute;
    if (typeof replaces === "function" ? replaces(prior, planned) : replaces) return [here];
    return attribute.type.kind === "object" && isObjectValue(before) && isObjectValue(after)
      ? replacePaths(attribute.type.attributes, before, after, here)
      : [];
  });
}

/** Compares values of an attribute, and their types if these can differ: not those of nulls. */
function isEqual({ type }: Attribute, before: Value, after: Value): boolean {
  const hasType = type.kind === "any" && !isNullValue(before);
  return hasType ? sameDynamic(before, after) : valuesEqual(before, after);
}

interface Member {
  readonly attribute: Attribute;
  readonly place: Place<Attribute>;
  readonly value: Value;
}

/** A member of an element in a list that the provider sets as a whole is not left to it by itself. */
function isLeftToProvider({ attribute, place }: Member, config: ObjectValue): boolean {
  const { path } = place;
  if (!attribute.mode.endsWith("computed") || valueAt(config, path) !== null) return false;
  const isElement = path.some((step) => typeof step === "number");
  return !isElement || holder(config, path) !== null;
}

/** Changes each attribute, then those of the nested objects in the result. */
function mapAttributes(
  { attributes, planned }: AttributePlanning,
  change: (member: Member) => Value,
): ObjectValue {
  const changed = foldObject<Value, Value, Attribute>(attributes, planned, {
    ...readsValues,
    ...buildsValues,
    enter: (value, place) => {
      const { attribute, isElement } = place;
      return attribute && !isElement ? change({ attribute, place, value }) : value;
    },
    settle: (value, type) =>
      value === null || value === UNKNOWN || !nestedAttributes(type) ? value : undefined,
    primitive: (value) => value,
    mismatch: (value) => value,
  });
  return isObjectValue(changed) ? changed : planned;
}

/** The object that holds the attribute at `path`. */
function holder(object: ObjectValue | null, path: AttributePath): ObjectValue | null {
  const found = valueAt(object, path.slice(0, -1));
  return isObjectValue(found) ? found : null;
}

/** Null inside lists: the index of an element says nothing about its identity. */
function priorHolder(prior: ObjectValue | null, path: AttributePath): ObjectValue | null {
  return path.some((step) => typeof step === "number") ? null : holder(prior, path);
}
