import { locateJson, locateYaml, type LocatedDocument } from "../../core/json/located-document";
import { failed, type RawRow, type RawRows, type RowStep } from "./raw-rows";

/** Reads the rows of YAML 1.2: a list of tenants, or an object with `tenants`. */
export function yamlRows(text: string): RawRows {
  // Every row may have the same alias: it is no attempt to fill the memory.
  return rowsOf(locateYaml(text, -1));
}

/** Reads the rows of JSON; duplicate members are errors, as in YAML. */
export function jsonRows(text: string): RawRows {
  return rowsOf(locateJson(text));
}

function rowsOf({ content, problems, lineOf }: LocatedDocument): RawRows {
  if (problems.length > 0) return { rows: [], problems };
  if (Array.isArray(content)) return rowsIn(content, [], lineOf);
  if (typeof content !== "object" || content === null) return failed(EXPECTED);
  const tenants = "tenants" in content ? content.tenants : undefined;
  const unknown = Object.keys(content)
    .filter((key) => key !== "tenants" && key !== "$schema")
    .map((key) => ({
      message: `${JSON.stringify(key)} is unknown; the members of the file are "tenants" and "$schema"`,
      line: lineOf([key]),
    }));
  const found = Array.isArray(tenants)
    ? rowsIn(tenants, ["tenants"], lineOf)
    : failed(EXPECTED, tenants === undefined ? undefined : lineOf(["tenants"]));
  return { rows: found.rows, problems: [...unknown, ...found.problems] };
}

const EXPECTED = 'the file must be a list of tenants, or an object with the list "tenants"';

function rowsIn(
  values: readonly unknown[],
  at: readonly RowStep[],
  lineOf: LocatedDocument["lineOf"],
): RawRows {
  const rows = values.map((value, index): RawRow => {
    const path = [...at, index];
    return {
      value,
      line: lineOf(path),
      lineOf: (inner) => lineOf([...path, ...inner]),
    };
  });
  return { rows, problems: [] };
}
