import { dirname } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileProblem } from "../../core/io/file-problem";
import { makeFolder } from "../../core/io/make-folder";
import { writeFileNow } from "../../core/io/write-file";

/** Writes a file of a program; an existing one is an error, unless `force` is set. */
export function writeSource(file: string, source: string, force: boolean): readonly Diagnostic[] {
  try {
    makeFolder(dirname(file));
  } catch (failure) {
    return [notWritten(dirname(file), failure)];
  }
  try {
    writeFileNow(file, source, force ? "replace" : "create");
    return [];
  } catch (failure) {
    if (fileProblem(failure)?.code !== "EEXIST") return [notWritten(file, failure)];
    return [error("File already exists", `${file} exists. Use --force to overwrite it.`)];
  }
}

function notWritten(path: string, failure: unknown): Diagnostic {
  const problem = fileProblem(failure);
  if (!problem) throw failure;
  return error("Stack cannot be written", `${path}: ${problem.text}.`);
}
