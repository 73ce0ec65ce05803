import { memberOf } from "../../core/member-of";
import { isUtf8 } from "node:buffer";
import { extname, resolve } from "node:path";
import { otherEncoding, readFileNow, textByMark } from "../../core/io/read-file";
import { fileFault } from "../../core/io/file-fault";
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
export function readTenantRows(file: string): RawRows {
  const read = memberOf(READERS, extname(file).toLowerCase());
  if (!read)
    return failed("the name of a file of tenants must end with .yaml, .yml, .json or .csv");
  let bytes: Buffer;
  try {
    bytes = readFileNow(file);
  } catch (failure) {
    return failed(fileFault(failure, resolve(file)).replace(/\.$/, ""));
  }
  const text = textByMark(bytes);
  if (text.includes("\uFFFD") && !isUtf8(bytes)) {
    const { message, line } = otherEncoding(text);
    return failed(message, line);
  }
  return read(text);
}
