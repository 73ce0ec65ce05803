import type { AttributePath } from "../../provider/values";
import type { Json } from "./json";

/**
 * A path to a sensitive value, as `sensitive_attributes` holds it. The file tells an attribute
 * (`get_attr`) from a key of a map or a position in a list (`index`); an attribute path does not.
 */
export type SensitivePath = readonly SensitiveStep[];
export type SensitiveStep =
  | { readonly type: "get_attr"; readonly value: string }
  | { readonly type: "index"; readonly value: { readonly value: Json; readonly type: Json } };

/**
 * `isMap` answers for a prefix of `path` whether the value there is a map (a string step behind it
 * is then a key, not an attribute).
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

/** Undefined where a step is neither a name nor a position (an element of a set). */
export function toAttributePath(path: SensitivePath): AttributePath | undefined {
  const steps: (string | number)[] = [];
  for (const step of path) {
    const value = step.type === "get_attr" ? step.value : step.value.value;
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    steps.push(value);
  }
  return steps;
}
