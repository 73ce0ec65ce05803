import type { z } from "zod";
import { onceForPairs } from "../alike";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import {
  isNullValue,
  isObjectValue,
  isUnknownValue,
  isWhollyKnown,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";
import type { Attribute, Attributes, Kind } from "./attribute";
import { visitObject, type Place } from "./fold";
import { walkAttributes } from "./walk";
import { schemaMessages } from "./schema-messages";
import { isConfigurable } from "./terraform";

/**
 * Checks a configuration against its schema: required arguments are set, computed attributes are
 * not, and every known value passes its checks. Returns all findings at once; none quotes a value,
 * since it may be a secret.
 */
export const validateAttributes = onceForPairs(findingsOf);

function findingsOf(attributes: Attributes, config: ObjectValue): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  visitObject(attributes, config, (value, place) => {
    if (isUnknownValue(value)) return false;
    const isNull = isNullValue(value);
    findings.push(...(isNull ? checkNull(place) : checkValue(value, place)));
    return !isNull;
  });
  return findings;
}

function checkNull({ path, attribute, isElement }: Place<Attribute>): readonly Diagnostic[] {
  if (!attribute) return [];
  if (isElement) {
    return [
      error(
        `Null value found in ${attribute.type.kind}`,
        "Null values are not allowed for this attribute value.",
        path,
      ),
    ];
  }
  if (attribute.mode !== "required") return [];
  return [
    error(
      "Missing required argument",
      `The argument "${formatPath(path)}" is required: ${attribute.description}`,
      path,
    ),
  ];
}

function checkValue(value: Value, place: Place<Attribute>): readonly Diagnostic[] {
  const { attribute, isElement } = place;
  if (!attribute) return [];
  if (!isConfigurable(attribute)) {
    return isElement ? [] : [notConfigurable(place.path)];
  }
  const kind: Kind =
    isElement && "element" in attribute.type ? attribute.type.element : attribute.type;
  const own = "check" in kind && isWhollyKnown(value) ? issues(kind.check, place.path, value) : [];
  if (kind.kind !== "map" || !kind.keys || !isObjectValue(value)) return own;
  const { path } = place;
  const keys = Object.keys(value).flatMap((key) => issues(kind.keys, [...path, key], key));
  return [...own, ...keys];
}

function notConfigurable(path: AttributePath): Diagnostic {
  return error(
    "Value for unconfigurable attribute",
    `Can't configure a value for "${formatPath(path)}": its value will be decided automatically based on the result of applying this configuration.`,
    path,
  );
}

function issues(check: z.ZodType | undefined, path: AttributePath, value: Value): Diagnostic[] {
  const result = check?.safeParse(value, { error: schemaMessages });
  if (!result || result.success) return [];
  return result.error.issues.map((issue) =>
    error("Invalid attribute value", sentence(issue.message), [
      ...path,
      ...issue.path.filter((step) => typeof step !== "symbol"),
    ]),
  );
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, ".");
}

/** Refuses write-only attributes, which Terraform before 1.11 would keep in its state. */
export function refuseWriteOnly(attributes: Attributes, config: ObjectValue): Diagnostic[] {
  return walkAttributes(attributes, config)
    .filter(({ attribute, value }) => attribute.writeOnly && value !== null)
    .map(({ path }) =>
      error(
        "Write-only attribute not allowed",
        `The resource contains a non-null value for write-only attribute "${formatPath(path)}". Write-only attributes are only supported in Terraform 1.11 and later.`,
        path,
      ),
    );
}

interface Validated<C> {
  readonly attributes: Attributes;
  validate?(config: ObjectValue, connection: C | undefined): readonly Diagnostic[];
}

/** Validates a configuration by its schema and by the definition's own rules. */
export function validateBlock<C>(
  definition: Validated<C>,
  config: ObjectValue,
  connection?: C,
): readonly Diagnostic[] {
  return [
    ...validateAttributes(definition.attributes, config),
    ...(definition.validate?.(config, connection) ?? []),
  ];
}
