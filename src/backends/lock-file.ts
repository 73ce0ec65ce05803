import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { z } from "zod";
import { join } from "node:path";
import { readTextNow } from "../core/io/read-file";
import {
  absent,
  createFile,
  linkNew,
  readIfPresent,
  removeIfPresent,
} from "../core/io/durable-file";
import { world } from "../core/io/world";

/**
 * Identifies a process, also against later ones with the same number. Members that need /proc are
 * absent on systems without it.
 */
export const processIdentity = z.object({
  host: z.string(),
  pid: z.int().positive(),
  /** When the process started, in clock ticks since the machine did. */
  started: z.string().optional(),
  /** The ID of the machine's current boot. */
  boot: z.string().optional(),
  /** Containers on one machine have separate process numbers. */
  pidNamespace: z.string().optional(),
  /** A digest of the machine's ID: two machines may share a host name. */
  machine: z.string().optional(),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

/** The holder of a lock: the members of Terraform's locks, and the process. */
const lockInfo = z.object({
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

type Acquisition =
  | { readonly held: true; readonly takenFrom?: LockInfo }
  | { readonly held: false; readonly by: Holder };

/**
 * Takes the lock at `path`, unless a process that may still run holds it.
 *
 * A lock is created with its whole content at once, by a hard link that fails if the file exists. The
 * content is on the disk before: a lock that a loss of power leaves empty would have no holder.
 * The lock of a process that has ended may be replaced only by the holder of its claim, `PATH.ID`,
 * which is itself such a lock. The holder of the claim reads the lock again: if it is still there,
 * no one else may replace it; if not, another process was faster. The claim becomes the lock by a
 * rename, so that the state is locked at every moment.
 */
export async function acquire(path: string, info: LockInfo): Promise<Acquisition> {
  const draft = `${path}.${world.random.uuid()}.tmp`;
  try {
    const text = `${JSON.stringify(info, null, 2)}\n`;
    await createFile(draft, Buffer.from(text));
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
      await world.files.rename(claimPath(path, holder), path);
      return { held: true, takenFrom: holder };
    }
  } finally {
    removeIfPresent(draft);
  }
}

/** Removes the lock of `holder`, if it still exists. False: another process is removing it. */
export async function breakLock(path: string, holder: LockInfo, info: LockInfo): Promise<boolean> {
  const claimed = await claim(path, holder, info);
  if (claimed === "gone") return true;
  if (!claimed.held) return false;
  await world.files.rm(path, { force: true });
  await world.files.rm(claimPath(path, holder), { force: true });
  return true;
}

/** Releases the lock, unless it was broken. */
export async function release(path: string, id: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder && holder !== "unreadable" && holder.ID === id)
    await world.files.unlink(path).catch(absent);
}

/** Releases the lock synchronously, while the process exits. */
export function releaseAtExit(path: string, id: string): void {
  try {
    const holder = parseHolder(readTextNow(path));
    if (holder !== "unreadable" && holder.ID === id) world.files.rmSync(path, { force: true });
  } catch {
    // It does not exist, or the next run takes it over from a process that has ended.
  }
}

export async function readHolder(path: string): Promise<Holder | undefined> {
  const bytes = await readIfPresent(path);
  if (bytes) return parseHolder(bytes.toString("utf8"));
  // A link whose target is missing takes the place of the lock all the same.
  return (await world.files.lstat(path).catch(absent)) ? "unreadable" : undefined;
}

/** Removes drafts of locks in a folder whose processes have ended, as far as possible. */
export async function removeLockDrafts(folder: string): Promise<void> {
  for (const name of await world.files.readdir(folder).catch(() => [])) {
    if (!LOCK_DRAFT.test(name)) continue;
    const draft = join(folder, name);
    const holder = await readHolder(draft).catch(() => undefined);
    if (!holder || holder === "unreadable" || isRunning(holder.Process) !== "ended") continue;
    await world.files.rm(draft, { force: true }).catch(() => undefined);
  }
}

const LOCK_DRAFT = /\.lock(\.[0-9a-f-]{36})+\.tmp$/;

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
  await world.files.rm(claimPath(path, holder), { force: true });
  return "gone";
}

function claimPath(path: string, holder: LockInfo): string {
  return `${path}.${holder.ID}`;
}

function parseHolder(text: string): Holder {
  try {
    return lockInfo.parse(JSON.parse(text));
  } catch {
    return "unreadable";
  }
}

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  const pid = world.processes.own();
  if (own?.pid === pid) return own;
  own = {
    host: hostname(),
    pid,
    started: readStat(pid)?.started,
    boot: probe(() => readTextNow("/proc/sys/kernel/random/boot_id").trim()),
    pidNamespace: probe(() => world.files.readlinkSync("/proc/self/ns/pid")),
    machine: probe(() => digest(readTextNow("/etc/machine-id").trim())),
  };
  return own;
}

/**
 * Reports whether a process runs; `elsewhere`: on another host or in another container, whose
 * processes are not visible. In doubt the process is assumed to run.
 */
export function isRunning(
  other: ProcessIdentity,
  self: ProcessIdentity = ownIdentity(),
): "running" | "ended" | "elsewhere" {
  if (other.host !== self.host) return "elsewhere";
  if (other.boot !== self.boot) {
    const restarted = other.boot && self.boot && other.machine && other.machine === self.machine;
    return restarted ? "ended" : "elsewhere";
  }
  if (other.pidNamespace !== self.pidNamespace) return "elsewhere";
  if (!world.processes.exists(other.pid)) return "ended";

  const stat = readStat(other.pid);
  if (!stat || other.started === undefined) return "running";
  return stat.started === other.started && !stat.zombie ? "running" : "ended";
}

/** See proc_pid_stat(5): the name in parentheses may hold anything, the fields follow it. */
function readStat(pid: number): { readonly started: string; readonly zombie: boolean } | undefined {
  const line = probe(() => readTextNow(`/proc/${pid}/stat`));
  const fields = line?.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state = "", started] = [fields?.[0], fields?.[19]];
  return started === undefined ? undefined : { started, zombie: "ZXx".includes(state) };
}

function probe(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function digest(id: string): string | undefined {
  return id === "" ? undefined : createHash("sha256").update(id).digest("hex").slice(0, 16);
}
