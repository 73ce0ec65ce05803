import { z } from "zod";
import { formatPath } from "../check";
import { SchemaMismatchError } from "../errors";
import type { Members, ScanReportSchema } from "./scan-report";

export type Path = readonly (string | number)[];

/** Creates the error for a place that matches neither schema. */
export function mismatch(path: Path, problem: string): SchemaMismatchError {
  return new SchemaMismatchError(
    `This is not a report of the image scanner in today's or the announced schema: ${formatPath(path)} ${problem}.`,
    path,
  );
}

const recordSchema = z.record(z.string(), z.unknown());
/** Returns the value itself, because zod's copy of a record lacks a member named `__proto__`. */
const membersSchema = z.custom<Members>((value) => recordSchema.safeParse(value).success);

/** Returns undefined if the value is not an object, or is a list. */
export function membersOf(value: unknown): Members | undefined {
  return membersSchema.safeParse(value).data;
}

/** Collects which schema the places of a report belong to. All must belong to the same one. */
export class Evidence {
  #first: { readonly schema: ScanReportSchema; readonly path: Path } | undefined;

  get schema(): ScanReportSchema | undefined {
    return this.#first?.schema;
  }

  /** Throws a SchemaMismatchError at the first place that contradicts the previous ones. */
  add(schema: ScanReportSchema, path: Path): void {
    this.#first ??= { schema, path };
    if (this.#first.schema === schema) return;
    throw new SchemaMismatchError(
      `The report mixes two schemas: ${formatPath(this.#first.path)} is of ${named(this.#first.schema)}, ${formatPath(path)} of ${named(schema)}.`,
      path,
    );
  }
}

function named(schema: ScanReportSchema): string {
  return schema === "today" ? "today's schema" : "the announced one";
}
