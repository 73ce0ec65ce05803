import { z } from "zod";
import { formatPath } from "../check";
import { SchemaMismatchError } from "../errors";
import type { Members } from "./model";

export type Path = readonly (string | number)[];

/** The error for a place where the report is not as either schema has it. */
export function mismatch(path: Path, problem: string): SchemaMismatchError {
  return new SchemaMismatchError(
    `This is no report of the image scanner, neither in today's schema nor in the announced one: ${formatPath(path)} ${problem}.`,
    path,
  );
}

const recordSchema = z.record(z.string(), z.unknown());
/** Hands on the value itself: zod's copy of a record lacks a member named `__proto__`. */
const membersSchema = z.custom<Members>((value) => recordSchema.safeParse(value).success);

/** Undefined for what is no object, lists included. */
export function membersOf(value: unknown): Members | undefined {
  return membersSchema.safeParse(value).data;
}
