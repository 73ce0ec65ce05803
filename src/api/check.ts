import type { z } from "zod";
import { SchemaMismatchError } from "./errors";
import { schemaMessages } from "./schema-messages";

/**
 * Takes a body for what its schema says, or throws a SchemaMismatchError that names the place.
 * The body itself is returned, not a copy: the order of its members and all that the schema does
 * not name stay. Only for schemas that transform nothing, which the type asks for.
 */
export function checked<T>(schema: z.ZodType<T, T>, body: unknown, what: string): T {
  assertMatches(schema, body, what);
  return body;
}

function assertMatches<T>(schema: z.ZodType<T, T>, body: unknown, what: string): asserts body is T {
  const result = schema.safeParse(body, { error: schemaMessages });
  if (result.success) return;
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  throw new SchemaMismatchError(
    `The console sent ${what} unlike those of its API, at ${formatPath(path)}: ${issue?.message ?? "is not as it should be"}.`,
    path,
  );
}

/** `$.rules[0].name`: a place in a body. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${step}`),
    "$",
  );
}
