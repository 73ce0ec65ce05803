import { error, type Diagnostic } from "../../provider/diagnostics";
import type { Where } from "../expressions/expression";

export type Location = Omit<Where, "path"> & Partial<Pick<Where, "path">>;

/** Says of each diagnostic which block it is about, where it does not say so itself. */
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

export function errorAt(where: Location, summary: string, detail: string): Diagnostic {
  const { address, constructPath, path } = where;
  return {
    ...error(summary, detail, path && path.length > 0 ? path : undefined),
    address,
    ...(constructPath !== undefined && { constructPath }),
  };
}
