import type { z } from "zod";
import type { Attribute, Attributes, CollectionKind, Kind } from "./attribute";
import { inWords } from "./in-words";
import { isConfigurable } from "./terraform";
import { walkAttributes } from "./walk";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import {
  UNKNOWN,
  isListValue,
  isObjectValue,
  isWhollyKnown,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../values";

/**
 * Checks a configuration against its schema: what is required is there, what is computed is not, and
 * every value that is known passes its checks. All findings at once; no value is ever quoted, since
 * it may be a secret.
 */
export function validateAttributes(attributes: Attributes, config: ObjectValue): Diagnostic[] {
  return [...walkAttributes(attributes, config)].flatMap(({ attribute, path, value }) =>
    validateAttribute(attribute, path, value),
  );
}

function validateAttribute(attribute: Attribute, path: AttributePath, value: Value): Diagnostic[] {
  if (value === UNKNOWN) return [];
  if (value === null) {
    return attribute.mode === "required"
      ? [
          error(
            "Missing required argument",
            `The argument "${formatPath(path)}" is required: ${attribute.description}`,
            path,
          ),
        ]
      : [];
  }
  if (!isConfigurable(attribute)) {
    return [
      error(
        "Value for unconfigurable attribute",
        `"${formatPath(path)}" is set by the provider; remove it from the configuration.`,
        path,
      ),
    ];
  }
  return [...nullElements(attribute.type, path, value), ...checks(attribute.type, path, value)];
}

function nullElements(kind: Kind, path: AttributePath, value: Value): Diagnostic[] {
  if (!("element" in kind)) return [];
  return elements(value)
    .filter(([, element]) => element === null)
    .map(([step]) =>
      error("Null element", `An element of a ${kind.kind} cannot be null.`, [...path, step]),
    );
}

function checks(kind: Kind, path: AttributePath, value: Value): Diagnostic[] {
  const own = "check" in kind && isWhollyKnown(value) ? issues(kind.check, path, value) : [];
  if (!("element" in kind)) return own;
  const inner = elements(value).flatMap(([step, element]) =>
    element === null ? [] : checks(kind.element, [...path, step], element),
  );
  return [...own, ...keys(kind, path, value), ...inner];
}

function keys(kind: CollectionKind, path: AttributePath, value: Value): Diagnostic[] {
  if (kind.kind !== "map" || !isObjectValue(value)) return [];
  return Object.keys(value).flatMap((key) => issues(kind.keys, [...path, key], key));
}

function issues(check: z.ZodType | undefined, path: AttributePath, value: Value): Diagnostic[] {
  const result = check?.safeParse(value, { error: inWords });
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

function elements(value: Value): readonly (readonly [string | number, Value])[] {
  if (isListValue(value)) return value.map((element, index) => [index, element]);
  return isObjectValue(value) ? Object.entries(value) : [];
}
