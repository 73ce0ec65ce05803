import type { AttributePath } from "../values";
import type { Json } from "./state-value";

/**
 * A path to a sensitive value in `sensitive_attributes`. Unlike an attribute path it distinguishes an
 * attribute (`get_attr`) from a key of a map or a position in a list (`index`).
 */
export type SensitivePath = readonly SensitiveStep[];
export type SensitiveStep =
  | { readonly type: "get_attr"; readonly value: string }
  | { readonly type: "index"; readonly value: { readonly value: Json; readonly type: Json } };

/**
 * Converts an attribute path.
 *
 * @param isMap Reports whether the value at a prefix of `path` is a map, so that the string step after
 *   it is a key, not an attribute.
 */
export function toSensitivePath(
  path: AttributePath,
  isMap: (prefix: AttributePath) => boolean,
): SensitivePath {
  return path.map((step, position) => {
    if (typeof step === "number") {
      return { type: "index", value: { value: step, type: "number" } };
    }
    return isMap(path.slice(0, position))
      ? { type: "index", value: { value: step, type: "string" } }
      : { type: "get_attr", value: step };
  });
}

/** The paths that are attribute paths. */
export function toAttributePaths(paths: readonly SensitivePath[]): readonly AttributePath[] {
  return paths.map(toAttributePath).filter((path) => path !== undefined);
}

/** Converts to an attribute path; undefined if a step is an element of a set. */
export function toAttributePath(path: SensitivePath): AttributePath | undefined {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const value = step.type === "get_attr" ? step.value : step.value.value;
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    steps.push(value);
  }
  return steps;
}
