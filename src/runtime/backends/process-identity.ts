import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { errorCode } from "./durable-file";

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

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= {
    host: hostname(),
    pid: process.pid,
    started: readStat(process.pid)?.started,
    boot: probe(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: probe(() => readlinkSync("/proc/self/ns/pid")),
    machine: probe(() => digest(readFileSync("/etc/machine-id", "utf8").trim())),
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
  if (!existsProcess(other.pid)) return "ended";

  const stat = readStat(other.pid);
  if (!stat || other.started === undefined) return "running";
  return stat.started === other.started && !stat.zombie ? "running" : "ended";
}

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return errorCode(cause) !== "ESRCH";
  }
}

/** See proc_pid_stat(5): the name in parentheses may hold anything, the fields follow it. */
function readStat(pid: number): { readonly started: string; readonly zombie: boolean } | undefined {
  const line = probe(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
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
