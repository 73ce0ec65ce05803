import { basename, dirname, resolve } from "node:path";
import { memberOf } from "../member-of";
import { didYouMean } from "../suggest";
import { errorText, fileProblem } from "./file-problem";
import { entryAt } from "./read-file";
import { world } from "./world";

const NEXT: Readonly<Record<string, string>> = {
  EACCES: "Give this user access to it, or name another one.",
  EPERM: "Give this user access to it, or name another one.",
  EISDIR: "Name a file.",
  EEXIST: "Correct the path.",
  ENOTDIR: "Correct the path.",
  ENOSPC: "Free some space, or name a file on another disk.",
  EDQUOT: "Free some space, or name a file on another disk.",
  EROFS: "Name a file on another disk.",
};

/**
 * Describes an error of a file that a user named, and what to do next. To be shown after the name of
 * the file, without a full stop behind it.
 */
export function fileFault(failure: unknown, path: string): string {
  const code = fileProblem(failure)?.code ?? "";
  if (code === "ENOTDIR" && entryAt(path)) return "is a file. Name its folder, or another one.";
  const next = code === "ENOENT" ? adviceWithout(path) : memberOf(NEXT, code);
  return `${errorText(failure)}.${next === undefined ? "" : ` ${next}`}`;
}

function adviceWithout(path: string): string {
  const folder = dirname(resolve(world.processes.folder(), path));
  try {
    const similar = didYouMean(basename(path), world.files.readdirSync(folder));
    return similar.trim() || `Correct the name; the folder ${folder} does not have it.`;
  } catch {
    return `There is no folder ${folder}. Correct the path.`;
  }
}
