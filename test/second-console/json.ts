/** Any JSON. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** A JSON object; members may be absent. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** Returns the objects of a list; none of anything else. */
export function objectsOf(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? (json as readonly Json[]).filter(isObject) : [];
}

/** A key as text, as paths have it. */
export function keyOf(json: Json | undefined): string {
  return typeof json === "string" ? json : JSON.stringify(json ?? null);
}
