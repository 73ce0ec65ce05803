import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import { absent, errorCode } from "./durable-file";
import { isRunning, processIdentity } from "./process-identity";

/** The holder of a lock: the members of Terraform's locks, and the process. */
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

/** `unreadable`: the file is not a lock of this program. */
export type Holder = LockInfo | "unreadable";

export type Acquisition =
  | { readonly held: true; readonly takenFrom?: LockInfo }
  | { readonly held: false; readonly by: Holder };

/**
 * Takes the lock at `path`, unless a process that may still run holds it.
 *
 * A lock is created with its whole content at once, by a hard link that fails if the file exists.
 * The lock of a process that has ended may be replaced only by the holder of its claim, `PATH.ID`,
 * which is itself such a lock. The holder of the claim reads the lock again: if it is still there,
 * no one else may replace it; if not, another process was faster. The claim becomes the lock by a
 * rename, so that the state is locked at every moment.
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

/** Removes the lock of `holder`, if it still exists. False: another process is removing it. */
export async function breakLock(path: string, holder: LockInfo, info: LockInfo): Promise<boolean> {
  const claimed = await claim(path, holder, info);
  if (claimed === "gone") return true;
  if (!claimed.held) return false;
  await rm(path, { force: true });
  await rm(claimPath(path, holder), { force: true });
  return true;
}

/** Releases the lock, unless it was broken. */
export async function release(path: string, id: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder && holder !== "unreadable" && holder.ID === id) await rm(path, { force: true });
}

/** Releases the lock synchronously, while the process exits. */
export function releaseAtExit(path: string, id: string): void {
  try {
    const holder = parseHolder(readFileSync(path, "utf8"));
    if (holder !== "unreadable" && holder.ID === id) rmSync(path, { force: true });
  } catch {
    // It does not exist, or the next run takes it over from a process that has ended.
  }
}

export async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, "utf8").catch(absent);
  return text === undefined ? undefined : parseHolder(text);
}

/** Takes the right to replace or remove the lock of `holder`; "gone" if it no longer exists. */
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
