import { formatPath } from "../check";
import { SchemaMismatchError } from "../errors";
import type { Path } from "./mismatch";
import type { ScanReportSchema } from "./scan-report";

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
