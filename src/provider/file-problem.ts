const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "this user has no permission",
  EPERM: "it is not permitted, to this user or on this file system",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is no folder",
  EEXIST: "a part of the path is no folder",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  EROFS: "the file system is read-only",
};

export interface FileProblem {
  /** `ENOENT` */
  readonly code: string;
  /** To stand behind the file's name. */
  readonly text: string;
}

/** What the file system held against a call; undefined where the failure is another one. */
export function fileProblem(failure: unknown): FileProblem | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  if (!("syscall" in failure) || !("code" in failure)) return undefined;
  const code = String(failure.code);
  return { code, text: PROBLEMS[code] ?? messageOf(failure) };
}

/** What went wrong, to stand behind the name of what it befell. */
export function errorText(failure: unknown): string {
  return fileProblem(failure)?.text ?? messageOf(failure);
}

function messageOf(failure: unknown): string {
  return typeof failure === "object" && failure !== null && "message" in failure
    ? String(failure.message)
    : String(failure);
}
