import { error, formatPath, type Diagnostic } from "../diagnostics";
import {
  ExactNumber,
  isObjectValue,
  type AttributePath,
  type KnownObject,
  type ObjectValue,
  type Value,
} from "../values";
import type { Attributes } from "./attribute";
import { decodeDynamic } from "./dynamic";
import { buildsValues, foldObject, readsValues } from "./fold";

/**
 * Reads an object of a state file. The result has every attribute of the schema, null if it is
 * missing, and no other members. `mismatch` creates the diagnostic for a value that is not of the
 * type `kind`.
 */
export function decodeObject(
  attributes: Attributes,
  stored: KnownObject,
  mismatch: (kind: string, path: AttributePath) => Diagnostic = wrongTypeInState,
): { readonly value: ObjectValue; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const value = foldObject<Value, Value, Attributes[string]>(attributes, stored, {
    ...readsValues,
    ...buildsValues,
    settle: (value) => (value === null ? null : undefined),
    primitive: (value, { kind }) => {
      if (kind === "any") return decodeDynamic(value);
      if (kind === "number" && value instanceof ExactNumber) return Number(value.value);
      return typeof value === (kind === "bool" ? "boolean" : kind) ? value : undefined;
    },
    mismatch: (_, { kind }, { path }) => {
      diagnostics.push(mismatch(kind, path));
      return null;
    },
  });
  return { value: isObjectValue(value) ? value : {}, diagnostics };
}

function wrongTypeInState(kind: string, path: AttributePath): Diagnostic {
  return error(
    "State does not match the schema",
    `"${formatPath(path)}" in state must be a ${kind}. The state was edited, or written by another version of the provider. Remove the object from the state and import it.`,
    path,
  );
}
