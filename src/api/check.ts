import { z } from "zod";
import { schemaMessages } from "../core/schema/schema-messages";
import { SchemaMismatchError } from "./errors";

/**
 * Checks a body against its schema. Returns the body itself, not a copy, so that the order of its
 * members and everything that the schema does not name are kept. The type requires a schema that
 * transforms nothing.
 *
 * @param at The place of `body` in the whole body. Default: it is the whole body.
 * @throws SchemaMismatchError Names the place of the first mismatch.
 */
export function checked<T>(schema: z.ZodType<T, T>, body: unknown, what: string, at: Path = []): T {
  assertMatches(schema, body, what, at);
  return body;
}

type Path = readonly (string | number)[];

const list = z.array(z.unknown());

/** Checks the items of a list like `checked`. Takes no schema of a list: to make one takes long. */
export function checkedList<T>(
  item: z.ZodType<T, T>,
  body: unknown,
  what: string,
  at: Path = [],
): readonly T[] {
  return checked(list, body, what, at).map((one, index) =>
    checked(item, one, what, [...at, index]),
  );
}

function assertMatches<T>(
  schema: z.ZodType<T, T>,
  body: unknown,
  what: string,
  at: Path,
): asserts body is T {
  const result = schema.safeParse(body, { error: schemaMessages });
  if (result.success) return;
  const [issue] = result.error.issues;
  const steps = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  const path = [...at, ...steps];
  throw new SchemaMismatchError(
    `The console sent ${what} of an unexpected form at ${formatJsonPath(path)}: ${issue?.message ?? "is invalid"}.`,
    path,
  );
}

/** Formats a place in a body, as in `$.rules[0].name`. */
export function formatJsonPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${step}`),
    "$",
  );
}
