import { z } from "zod";
import { formatPath } from "../check";
import { SchemaMismatchError } from "../errors";
import type { Members } from "./scan-report";

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
