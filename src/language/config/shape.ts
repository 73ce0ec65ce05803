import { z } from "zod";
import { formatPath, type Diagnostic } from "../../core/diagnostics";
import { schemaMessages, MISSING } from "../../core/schema/schema-messages";
import type { AttributePath } from "../../core/values";
import type { ExpressionPosition } from "../expressions/expression";
import { errorAt } from "./located";

/** A part of a JSON document that does not match its schema. */
export interface ShapeProblem {
  readonly path: AttributePath;
  readonly summary: string;
  readonly message: string;
}

/** Converts zod's issues to Terraform's messages. They never contain a value. */
export function problemsOf({
  issues,
}: {
  readonly issues: readonly z.core.$ZodIssue[];
}): readonly ShapeProblem[] {
  return issues.flatMap((issue): readonly ShapeProblem[] => {
    // The problems of a value with several forms are those of the form that has its type.
    const forms = issue.code === "invalid_union" ? issue.errors : [];
    const [form, ...more] = forms.filter((one) => one.every(({ path }) => path.length > 0));
    if (form && more.length === 0)
      return problemsOf({
        issues: form.map((one) => ({ ...one, path: [...issue.path, ...one.path] })),
      });
    const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
    const last = path.at(-1);
    const shown = typeof last === "number" ? formatPath(path.slice(-2)) : last;
    const name = shown === undefined ? "It" : `"${shown}"`;
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: [...path, key],
        summary: "Unsupported argument",
        message: `An argument named "${key}" is not expected here.`,
      }));
    }
    if (issue.message === MISSING) {
      return [
        {
          path,
          summary: "Missing required argument",
          message: `The argument ${name} is required, but no definition was found.`,
        },
      ];
    }
    return [{ path, summary: "Incorrect value type", message: `${name} ${issue.message}.` }];
  });
}

/** Parses a value by a schema; without a result, each problem is a diagnostic. */
export function checkShape<T>(
  schema: z.ZodType<T>,
  json: unknown,
  where: ExpressionPosition,
  diagnostics: Diagnostic[],
): T | undefined {
  const parsed = schema.safeParse(json, { error: schemaMessages });
  if (parsed.success) return parsed.data;
  for (const { path, summary, message } of problemsOf(parsed.error)) {
    diagnostics.push(errorAt(where, summary, message, path));
  }
  return undefined;
}

/** A JSON object. The provider checks the names of its attributes. */
export const block = z.record(z.string(), z.unknown());

/** A block that is not repeated: a body, or a list of one. */
export function single<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value)) return value;
    if (value.length === 1) return value[0] as unknown;
    context.addIssue({ code: "custom", message: `must be one block, but has ${value.length}` });
    return z.NEVER;
  }, schema);
}

/** A block that may be repeated: a body, or a list of them. Null is no block. */
export function repeatedBlock<T>(schema: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z.preprocess((value) => {
    if (value === undefined) return value;
    if (value === null) return [];
    return Array.isArray(value) ? (value as unknown[]) : [value];
  }, z.array(schema));
}

/** A literal boolean. */
export const flag: z.ZodType<boolean> = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  { error: "must be true or false" },
);

/** A required value of any type. */
export const present = z.unknown();

/** An optional value of any type. */
export const whatever = z.unknown().optional();

const metadata = z.object({ metadata: z.object({ path: z.string() }) });

/** Returns the path of the construct of a block: cdktf writes it under `//`. */
export function constructPathOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("//" in json)) return undefined;
  return metadata.safeParse(json["//"]).data?.metadata.path;
}

/**
 * Locates a block.
 *
 * @param stack The construct to name if cdktf records none for that kind of block.
 */
export function whereOf(address: string, json: unknown, stack?: string): ExpressionPosition {
  const constructPath = constructPathOf(json) ?? stack;
  return { address, path: [], ...(constructPath !== undefined && { constructPath }) };
}
