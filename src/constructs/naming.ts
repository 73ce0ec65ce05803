import { memberOf } from "../core/member-of";
import type { Attribute, Attributes } from "../core/schema/attribute";
import { nestedAttributes } from "../core/schema/terraform";
import type { AttributePath } from "../core/values";

// Converts between Terraform's snake_case and the constructs' camelCase, in this file only.

/** `key_fingerprint` → `keyFingerprint`. */
export function propName(attribute: string): string {
  return attribute.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts a path of attributes to a path of props. Keys of maps are kept. */
export function propPath(attributes: Attributes, path: AttributePath): AttributePath {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  const attribute = memberOf(attributes, String(name));
  if (typeof name === "number" || !attribute) return path;
  return [propName(name), ...behind(attribute, rest)];
}

function behind(attribute: Attribute, path: AttributePath): AttributePath {
  const nested = nestedAttributes(attribute.type);
  if (!nested) return path;
  if (attribute.type.kind === "object") return propPath(nested, path);
  const [step, ...rest] = path;
  return step === undefined ? [] : [step, ...propPath(nested, rest)];
}

/**
 * Replaces the names of attributes in a sentence about the attribute at `path` by those of props. A
 * quoted word is a value and is kept, unless it names that attribute.
 */
export function inPropNames(
  attributes: Attributes,
  sentence: string,
  path: AttributePath = [],
): string {
  const names = new Set(attributeNames(attributes));
  const named = `"${path.at(-1) ?? ""}"`;
  return sentence.replace(/"?[a-z][a-z0-9]*(?:_[a-z0-9]+)+"?/g, (text) =>
    /^".*"$/.test(text) && text !== named
      ? text
      : text.replace(/[^"]+/, (word) => (names.has(word) ? propName(word) : word)),
  );
}

function attributeNames(attributes: Attributes): string[] {
  return Object.entries(attributes).flatMap(([name, { type }]) => [
    name,
    ...attributeNames(nestedAttributes(type) ?? {}),
  ]);
}
