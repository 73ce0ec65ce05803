import type { Stats } from "node:fs";
import { join, parse, resolve, sep } from "node:path";
import { world } from "./world";

/** A part of a path that exists. */
export interface PathStep {
  readonly path: string;
  /** A link is not followed. */
  readonly entry: Stats;
  /** The folder that it is in. */
  readonly folder: Stats;
}

/** Linux follows as many. */
const MOST_LINKS = 40;

/** Lists the parts of a path from its root on, and those of the links on it. */
export function stepsTo(path: string, links = MOST_LINKS): readonly PathStep[] {
  const steps: PathStep[] = [];
  let at = parse(path).root;
  for (const name of resolve(path).slice(at.length).split(sep).filter(Boolean)) {
    const folder = world.files.statSync(at, { throwIfNoEntry: false });
    const here = join(at, name);
    const entry = folder && world.files.lstatSync(here, { throwIfNoEntry: false });
    if (!folder || !entry) return steps;
    steps.push({ path: here, entry, folder });
    at = here;
    if (!entry.isSymbolicLink() || links === 0) continue;
    at = resolve(join(here, ".."), world.files.readlinkSync(here));
    steps.push(...stepsTo(at, links - 1));
  }
  return steps;
}

/** Reports whether neither this user nor the system made a file. */
export function isOfAnother({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** Reports whether other users can add files to a folder. */
export function isOpenToOthers(folder: Stats): boolean {
  return isOfAnother(folder) || (folder.mode & WRITABLE_BY_OTHERS) !== 0;
}

/** Reports whether another user can replace a part of the path: what is there may be theirs. */
export function canBeReplaced(path: string): boolean {
  return stepsTo(path).some(({ entry, folder }) => {
    if (isOfAnother(entry)) return true;
    // In a sticky folder, others can replace only what is theirs.
    return isOfAnother(folder) || (isWritable(folder) && (folder.mode & STICKY) === 0);
  });
}

/** The group of a user alone, as Fedora makes them, has the user's number. */
function isWritable({ mode, gid }: Stats): boolean {
  const isOwnGroup = gid === process.getgid?.() && gid === process.getuid?.();
  return (mode & (isOwnGroup ? 0o002 : WRITABLE_BY_OTHERS)) !== 0;
}
