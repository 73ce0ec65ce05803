import type { z } from "zod";
import { SchemaMismatchError } from "./errors";
import { schemaMessages } from "./schema-messages";

/**
 * Checks a body against its schema. Returns the body itself, not a copy, so that the order of its
 * members and everything that the schema does not name are kept. The type requires a schema that
 * transforms nothing.
 *
 * @throws SchemaMismatchError Names the place of the first mismatch.
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
    `The console sent ${what} of an unexpected form at ${formatPath(path)}: ${issue?.message ?? "is invalid"}.`,
    path,
  );
}

/** Formats a place in a body, as in `$.rules[0].name`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${step}`),
    "$",
  );
}
