import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import { absent, errorCode } from "./durable-file";
import { isRunning, processIdentity } from "./process-identity";

/** Who holds a lock: Terraform's members, and the process. */
export const lockInfo = z.object({
  ID: z.uuid(),
  Operation: z.string(),
  Info: z.string(),
  Who: z.string(),
  Version: z.string(),
  /** ISO 8601 */
  Created: z.string(),
  Path: z.string(),
  Process: processIdentity,
});
export type LockInfo = z.infer<typeof lockInfo>;

/** `unreadable`: there is a file, but no lock that this program wrote. */
export type Holder = LockInfo | "unreadable";

export type Acquisition =
  | { readonly held: true; readonly takenFrom?: LockInfo }
  | { readonly held: false; readonly by: Holder };

/**
 * Takes the lock at `path`, unless a process that may still live holds it.
 *
 * A lock appears with its whole content at once, by a hard link that fails where one exists. That
 * of a process that ended is replaced only by the one who holds the lock on replacing it: a claim,
 * `PATH.ID`, itself a lock like any other. Who holds the claim looks again: as long as the dead
 * lock is still there, nobody else may touch it; if it is gone, another one was quicker. A claim
 * becomes the lock by a rename, so that there is no moment without a lock.
 */
export async function acquire(path: string, info: LockInfo): Promise<Acquisition> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    for (;;) {
      if (await linkNew(draft, path)) return { held: true };
      const holder = await readHolder(path);
      if (!holder) continue;
      if (holder === "unreadable" || isRunning(holder.Process) !== "ended") {
        return { held: false, by: holder };
      }
      const claimed = await claim(path, holder, info);
      if (claimed === "gone") continue;
      if (!claimed.held) return claimed;
      await rename(claimPath(path, holder), path);
      return { held: true, takenFrom: holder };
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the lock that `holder` has, if it still has it. False: another process is at it. */
export async function breakLock(path: string, holder: LockInfo, info: LockInfo): Promise<boolean> {
  const claimed = await claim(path, holder, info);
  if (claimed === "gone") return true;
  if (!claimed.held) return false;
  await rm(path, { force: true });
  await rm(claimPath(path, holder), { force: true });
  return true;
}

/** Gives the lock back, unless somebody broke it. */
export async function release(path: string, id: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder && holder !== "unreadable" && holder.ID === id) await rm(path, { force: true });
}

/** The same while the process exits, when nothing can be waited for. */
export function releaseAtExit(path: string, id: string): void {
  try {
    const holder = parseHolder(readFileSync(path, "utf8"));
    if (holder !== "unreadable" && holder.ID === id) rmSync(path, { force: true });
  } catch {
    // It is gone, or stays and will be found to be of a process that ended.
  }
}

export async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, "utf8").catch(absent);
  return text === undefined ? undefined : parseHolder(text);
}

/** The right to replace or remove the lock of `holder`; "gone" if it has been already. */
async function claim(
  path: string,
  holder: LockInfo,
  info: LockInfo,
): Promise<Acquisition | "gone"> {
  const claimed = await acquire(claimPath(path, holder), info);
  if (!claimed.held) return claimed;
  const present = await readHolder(path);
  if (present && present !== "unreadable" && present.ID === holder.ID) return claimed;
  await rm(claimPath(path, holder), { force: true });
  return "gone";
}

function claimPath(path: string, holder: LockInfo): string {
  return `${path}.${holder.ID}`;
}

async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cause;
  }
}

function parseHolder(text: string): Holder {
  try {
    return lockInfo.parse(JSON.parse(text));
  } catch {
    return "unreadable";
  }
}
