import type { Attributes, Kind, PrimitiveKind } from "./attribute";
import { error, formatPath, type Diagnostic } from "../diagnostics";
import {
  canonicalSet,
  isListValue,
  isObjectValue,
  type AttributePath,
  type KnownObject,
  type ObjectValue,
  type Value,
} from "../values";

/**
 * Reads an object as a state file holds it: every attribute of the schema is in the result, null
 * where it was missing; members that the schema does not know are left out. `mismatch` says what is
 * wrong with a value of another type; by default, in words for a state.
 */
export function decodeObject(
  attributes: Attributes,
  stored: KnownObject,
  mismatch: Mismatch = notAsStored,
): { readonly value: ObjectValue; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const report = (kind: Kind, path: AttributePath) => diagnostics.push(mismatch(kind, path));
  return { value: objectOf(attributes, stored, [], report), diagnostics };
}

type Mismatch = (kind: Kind, path: AttributePath) => Diagnostic;
type Report = (kind: Kind, path: AttributePath) => void;

function notAsStored({ kind }: Kind, path: AttributePath): Diagnostic {
  return error(
    "State does not fit the schema",
    `"${formatPath(path)}" in state should be a ${kind}. The state was edited, or written by another version of the provider: remove the object from state and import it.`,
    path,
  );
}

function objectOf(
  attributes: Attributes,
  stored: ObjectValue,
  path: AttributePath,
  report: Report,
): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type }]) => [
      name,
      valueOf(type, stored[name] ?? null, [...path, name], report),
    ]),
  );
}

function valueOf(kind: Kind, stored: Value, path: AttributePath, report: Report): Value {
  if (stored === null) return null;
  if (kind.kind === "object" && isObjectValue(stored)) {
    return objectOf(kind.attributes, stored, path, report);
  }
  if ((kind.kind === "list" || kind.kind === "set") && isListValue(stored)) {
    const elements = stored.map((element, index) =>
      valueOf(kind.element, element, [...path, index], report),
    );
    return kind.kind === "set" ? canonicalSet(elements) : elements;
  }
  if (kind.kind === "map" && isObjectValue(stored)) {
    return Object.fromEntries(
      Object.entries(stored).map(([key, element]) => [
        key,
        valueOf(kind.element, element, [...path, key], report),
      ]),
    );
  }
  if (isPrimitive(kind) && typeof stored === (kind.kind === "bool" ? "boolean" : kind.kind)) {
    return stored;
  }
  report(kind, path);
  return null;
}

function isPrimitive(kind: Kind): kind is PrimitiveKind {
  return kind.kind === "string" || kind.kind === "number" || kind.kind === "bool";
}
