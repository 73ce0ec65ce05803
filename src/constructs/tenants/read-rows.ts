import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { errorText } from "../../provider/file-problem";
import { csvRows } from "./csv-rows";
import { failed, type RawRows } from "./raw-rows";
import { jsonRows, yamlRows } from "./yaml-rows";

const READERS: Readonly<Record<string, (text: string) => RawRows>> = {
  ".csv": csvRows,
  ".json": jsonRows,
  ".yaml": yamlRows,
  ".yml": yamlRows,
};

/** Reads the rows of a file of tenants; its extension is the format. Never throws. */
export function readRows(file: string): RawRows {
  const read = READERS[extname(file).toLowerCase()];
  if (!read)
    return failed("the name of a file of tenants must end with .yaml, .yml, .json or .csv");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (failure) {
    return failed(errorText(failure));
  }
  return read(text.replace(/^\uFEFF/, ""));
}
