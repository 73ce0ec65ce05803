import type { Attribute, Attributes } from "../schema/attribute";
import { isConfigurable, nestedAttributes } from "../schema/terraform";
import { mapNestedObjects } from "../schema/walk";
import {
  UNKNOWN,
  isObjectValue,
  valueAt,
  valuesEqual,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";

/** What a planning step works on. `planned` begins as the configuration. */
export interface Planning {
  readonly attributes: Attributes;
  readonly config: ObjectValue;
  /** Null on create. */
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue;
}

export type PlanningStep = (planning: Planning) => ObjectValue;

/**
 * From configuration and prior state to the planned state; pure. What needs the whole resource or
 * the console comes after these steps, in the resource's own `modifyPlan`.
 */
const PIPELINE: readonly PlanningStep[] = [
  fillDefaults,
  nullWriteOnly,
  keepEquivalent,
  keepComputed,
  computeAttributes,
  unknowComputed,
];

export function planObject(
  attributes: Attributes,
  config: ObjectValue,
  prior: ObjectValue | null,
): ObjectValue {
  return PIPELINE.reduce((planned, step) => step({ attributes, config, prior, planned }), config);
}

/**
 * The configuration without computed attributes: where these stand in `ignore_changes`, engines put
 * what state has there.
 */
export function configuredOnly(attributes: Attributes, config: ObjectValue): ObjectValue {
  const members = Object.entries(config).map(([name, value]): [string, Value] => {
    const attribute = attributes[name];
    return [name, attribute && !isConfigurable(attribute) ? null : value];
  });
  return Object.fromEntries(members);
}

/** From the configuration alone: a prior list's members may stand at other positions by now. */
export function fillDefaults({ attributes, planned }: Planning): ObjectValue {
  return mapAttributes(attributes, planned, null, null, ({ attribute, value }) =>
    value === null && attribute.default !== undefined ? attribute.default : value,
  );
}

export function nullWriteOnly({ attributes, planned }: Planning): ObjectValue {
  return mapAttributes(attributes, planned, null, null, ({ attribute, value }) =>
    attribute.writeOnly ? null : value,
  );
}

/** A text that means what state has already is no change; see `Facets.equivalent`. */
export function keepEquivalent({ attributes, planned, prior }: Planning): ObjectValue {
  return mapAttributes(attributes, planned, null, null, ({ attribute, value, path }) => {
    if (!attribute.equivalent || typeof value !== "string") return value;
    const before = valueAt(prior, path);
    return typeof before === "string" && attribute.equivalent(value, before) ? before : value;
  });
}

/** What the provider once set stays, where the configuration is silent. */
export function keepComputed({ attributes, planned, config, prior }: Planning): ObjectValue {
  return mapAttributes(attributes, planned, config, prior, (member) => {
    if (!isLeftToProvider(member)) return member.value;
    return member.prior === null ? UNKNOWN : (member.prior[member.name] ?? null);
  });
}

/** Attributes that compute their own planned value. */
export function computeAttributes({ attributes, planned, config, prior }: Planning): ObjectValue {
  return mapAttributes(attributes, planned, config, prior, (member) =>
    member.attribute.plan && isLeftToProvider(member)
      ? member.attribute.plan({ config: member.config ?? {}, prior: member.prior })
      : member.value,
  );
}

/**
 * An update may give a computed attribute a new value, unless the attribute is `stable` or has
 * computed its plan.
 */
export function unknowComputed({ attributes, planned, config, prior }: Planning): ObjectValue {
  if (prior === null || valuesEqual(planned, prior)) return planned;
  return mapAttributes(attributes, planned, config, prior, (member) => {
    const { stable, plan } = member.attribute;
    return isLeftToProvider(member) && !stable && !plan ? UNKNOWN : member.value;
  });
}

/**
 * The attributes whose change cannot be made in place, where `planned` differs from `prior`. Inside
 * lists a difference is the list's own.
 */
export function replacePaths(
  attributes: Attributes,
  prior: ObjectValue,
  planned: ObjectValue,
  path: AttributePath = [],
): AttributePath[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const before = prior[name] ?? null;
    const after = planned[name] ?? null;
    if (valuesEqual(before, after)) return [];
    const here = [...path, name];
    if (attribute.requiresReplace) return [here];
    return attribute.type.kind === "object" && isObjectValue(before) && isObjectValue(after)
      ? replacePaths(attribute.type.attributes, before, after, here)
      : [];
  });
}

interface Member {
  readonly name: string;
  readonly attribute: Attribute;
  readonly path: AttributePath;
  readonly value: Value;
  /** The configured and the prior object that hold the attribute; null where there is none. */
  readonly config: ObjectValue | null;
  readonly prior: ObjectValue | null;
}

function isLeftToProvider({ attribute, name, config }: Member): boolean {
  const { mode } = attribute;
  if (mode !== "computed" && mode !== "optional_computed") return false;
  return (config?.[name] ?? null) === null;
}

/** Changes each attribute, then those of the nested objects in what came of it. */
function mapAttributes(
  attributes: Attributes,
  object: ObjectValue,
  config: ObjectValue | null,
  prior: ObjectValue | null,
  change: (member: Member) => Value,
  above: AttributePath = [],
): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const path = [...above, name];
      const value = change({ name, attribute, path, value: object[name] ?? null, config, prior });
      const nested = nestedAttributes(attribute.type);
      if (!nested) return [name, value];
      return [
        name,
        mapNestedObjects(attribute, value, (inner, step) =>
          mapAttributes(
            nested,
            inner,
            objectAt(config, [name, ...step]),
            // A member of a list has no prior self: its index says nothing about identity.
            attribute.type.kind === "list" ? null : objectAt(prior, [name, ...step]),
            change,
            [...path, ...step],
          ),
        ),
      ];
    }),
  );
}

function objectAt(object: ObjectValue | null, path: AttributePath): ObjectValue | null {
  const found = object === null ? null : valueAt(object, path);
  return isObjectValue(found) ? found : null;
}
