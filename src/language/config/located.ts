import { type Printed } from "../../core/printed";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { AttributePath } from "../../core/values";
import type { ExpressionPosition } from "../expressions/expression";

export type Location = Omit<ExpressionPosition, "path"> & Partial<Pick<ExpressionPosition, "path">>;

/** Adds the address of a block to diagnostics that have none. */
export function locate(
  diagnostics: readonly Diagnostic[],
  { address, constructPath }: Location,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    address,
    ...(constructPath !== undefined && { constructPath }),
    ...diagnostic,
  }));
}

/** An error at `path` within a block, with the block's address and construct. */
export function errorAt(
  { address, constructPath, path: base = [] }: Location,
  summary: string,
  detail: string | Printed,
  path?: AttributePath,
): Diagnostic {
  const full = [...base, ...(path ?? [])];
  return {
    ...error(summary, detail, path || full.length > 0 ? full : undefined),
    address,
    ...(constructPath !== undefined && { constructPath }),
  };
}
