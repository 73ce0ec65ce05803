import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { stageFile, type SavedFile } from "../../api/save-file";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { fileProblem } from "../../core/io/file-problem";
import { makeFolder } from "../../core/io/make-folder";
import { openChunks } from "../../core/io/read-file";
import { world } from "../../core/io/world";

/*
 * A file that a resource writes and owns. Relative names start at the folder of the stack, as those
 * of Terraform's local_file do. Failures of the file system are diagnostics.
 */

/** The object at a path; `other` is one that a file cannot replace, such as a folder. */
type FoundFile =
  | { readonly kind: "nothing" }
  | ({ readonly kind: "file" } & SavedFile)
  | { readonly kind: "other" | "unreadable"; readonly diagnostic: Diagnostic };

/** Reads the size and the digest of a file. */
export async function lookAt(filename: string, directory: string): Promise<FoundFile> {
  const path = resolve(directory, filename);
  try {
    const found = await world.files.stat(path);
    if (found.isFile()) return { kind: "file", ...(await digestOf(path)) };
    const what = found.isDirectory() ? "is a directory" : "not a regular file";
    return { kind: "other", diagnostic: fileError("cannot be used", filename, what) };
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    if (problem.code === "ENOENT") return { kind: "nothing" };
    const kind = problem.code === "ENOTDIR" ? "other" : "unreadable";
    return { kind, diagnostic: fileError("cannot be read", filename, problem.text) };
  }
}

interface Placing {
  /** The folder that relative names start at. */
  readonly directory: string;
  /** The digest of the file to replace, as it was when the plan was made. */
  readonly replacing: string | undefined;
  /** Called before the file is put in place. */
  readonly before: (saved: SavedFile) => Promise<void>;
}

/**
 * Writes the bytes with mode 0600. Replaces the expected file or one with the same bytes; any other
 * file is kept and reported as an error. Creates missing folders. Throws the errors of `chunks` and
 * `before`.
 */
export async function placeFile(
  chunks: AsyncIterable<Uint8Array>,
  filename: string,
  { directory, replacing, before }: Placing,
): Promise<{ readonly saved: SavedFile } | { readonly diagnostic: Diagnostic }> {
  const path = resolve(directory, filename);
  try {
    makeFolder(dirname(path));
    const staged = await stageFile(chunks, path);
    try {
      const found = await lookAt(filename, directory);
      if ("diagnostic" in found) return found;
      if (found.kind === "file" && ![replacing, staged.sha256].includes(found.sha256)) {
        return { diagnostic: inTheWay(filename, replacing) };
      }
      const saved = { sha256: staged.sha256, size: staged.size };
      await before(saved);
      await staged.commit();
      return { saved };
    } finally {
      await staged.discard();
    }
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return { diagnostic: fileError("cannot be written", filename, problem.text) };
  }
}

/** Removes the file if it has this digest; keeps any other file, with a warning. */
export async function removeFile(
  filename: string,
  sha256: string | null,
  directory: string,
): Promise<Diagnostic | undefined> {
  const found = await lookAt(filename, directory);
  if (found.kind === "unreadable") return found.diagnostic;
  if (found.kind !== "file") return undefined;
  if (found.sha256 !== sha256) return keptFile(filename);
  try {
    await world.files.rm(resolve(directory, filename), { force: true });
    return undefined;
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return fileError("cannot be removed", filename, problem.text);
  }
}

export function keptFile(filename: string): Diagnostic {
  return warning(
    "File is kept",
    `${filename} was changed since it was written. Terraform forgets the file, and does not delete it.`,
    ["filename"],
  );
}

async function digestOf(path: string): Promise<SavedFile> {
  const hash = createHash("sha256");
  const bytes = openChunks(path);
  const chunks: AsyncIterable<Buffer> = bytes;
  for await (const chunk of chunks) hash.update(chunk);
  return { sha256: hash.digest("hex"), size: bytes.bytesRead };
}

function fileError(what: string, filename: string, problem: string): Diagnostic {
  return error(`File ${what}`, `${filename}: ${problem}.`, ["filename"]);
}

function inTheWay(filename: string, replacing: string | undefined): Diagnostic {
  if (replacing !== undefined) {
    return error(
      "File changed since it was planned",
      `${filename} differs from the file that the plan was made for, and was not overwritten. Plan again.`,
      ["filename"],
    );
  }
  return error(
    "File already exists",
    `${filename} was not written by this resource, and its content differs from the console's. It was not overwritten. Move the file, or choose another filename.`,
    ["filename"],
  );
}
