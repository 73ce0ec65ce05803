import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { stageFile, type SavedFile } from "../../api/save-file";
import { error, warning, type Diagnostic } from "../diagnostics";
import { fileProblem } from "../file-problem";

/*
 * A file that a resource writes and owns. A relative name starts at the folder of the stack, as
 * those of Terraform's local_file do. What the file system refuses is a diagnostic.
 */

/** What stands at a path; `other` is nothing that a file could take the place of. */
export type Found =
  | { readonly kind: "nothing" }
  | ({ readonly kind: "file" } & SavedFile)
  | { readonly kind: "other" | "unreadable"; readonly diagnostic: Diagnostic };

/** Looks at a file; of its content only the digest is kept. */
export async function lookAt(filename: string, directory: string): Promise<Found> {
  const path = resolve(directory, filename);
  try {
    const found = await stat(path);
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

export interface Placing {
  /** Where a relative name starts. */
  readonly directory: string;
  /** The file whose place may be taken: what was found when it was planned. */
  readonly replacing: string | undefined;
  /** Called with what is about to be put in place, when nothing is in its way. */
  readonly before: (saved: SavedFile) => Promise<void>;
}

/**
 * Writes the bytes for their owner alone (0600), in the place of the file that is expected there,
 * or of one with the same bytes; any other one stays, and is an error. Folders that are missing are
 * made. Throws what `chunks` and `before` throw.
 */
export async function placeFile(
  chunks: AsyncIterable<Uint8Array>,
  filename: string,
  { directory, replacing, before }: Placing,
): Promise<{ readonly saved: SavedFile } | { readonly diagnostic: Diagnostic }> {
  const path = resolve(directory, filename);
  try {
    await mkdir(dirname(path), { recursive: true });
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

/** Removes the file if it is this one; any other stays, with a warning. Undefined: it is gone. */
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
    await rm(resolve(directory, filename), { force: true });
    return undefined;
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return fileError("cannot be removed", filename, problem.text);
  }
}

export function keptFile(filename: string): Diagnostic {
  return warning(
    "The file stays",
    `${filename} is not the file that was written here: somebody changed it. It is only forgotten.`,
    ["filename"],
  );
}

async function digestOf(path: string): Promise<SavedFile> {
  const hash = createHash("sha256");
  const bytes = createReadStream(path);
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
      `${filename} is not what it was when the plan was made, so it was left alone: plan again.`,
      ["filename"],
    );
  }
  return error(
    "File exists already",
    `${filename} was not written by this resource, and is not what the console sends: it was left alone. Move it away, or choose another filename.`,
    ["filename"],
  );
}
