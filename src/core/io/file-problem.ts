import { memberOf } from "../member-of";
const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "is a directory",
  ENOTDIR: "a part of the path is not a directory",
  EEXIST: "a part of the path is not a directory",
  ELOOP: "too many levels of symbolic links",
  ENAMETOOLONG: "file name too long",
  ENOSPC: "no space left on the device",
  EDQUOT: "disk quota exceeded",
  EROFS: "read-only file system",
};

export interface FileProblem {
  /** `ENOENT` */
  readonly code: string;
  /** The problem, to be shown after the name of the file. */
  readonly text: string;
}

/** Describes an error of the file system; undefined for other errors. */
export function fileProblem(failure: unknown): FileProblem | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  if (!("syscall" in failure) || !("code" in failure)) return undefined;
  const code = String(failure.code);
  return { code, text: memberOf(PROBLEMS, code) ?? messageOf(failure) };
}

/** Describes an error, to be shown after the name of its object. */
export function errorText(failure: unknown): string {
  return fileProblem(failure)?.text ?? messageOf(failure);
}

function messageOf(failure: unknown): string {
  return typeof failure === "object" && failure !== null && "message" in failure
    ? String(failure.message)
    : String(failure);
}
