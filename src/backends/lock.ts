import { printed, type Printed } from "../core/printed";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { error, warning, type Diagnostic } from "../core/diagnostics";
import { fileFault } from "../core/io/file-fault";
import { errorText } from "../core/io/file-problem";
import { makeFolder } from "../core/io/make-folder";
import type { Lock, LockHolder, LockRequest } from "./backend";
import { errorCode, readIfPresent } from "../core/io/durable-file";
import { ofWorld, world } from "../core/io/world";
import {
  acquire,
  breakLock,
  readHolder,
  release,
  removeLockDrafts,
  releaseAtExit,
  isRunning,
  ownIdentity,
  type Holder,
  type LockInfo,
} from "./lock-file";
import {
  describeRun,
  formatRun,
  notReleased,
  parseHoldingRun,
  plainAdvice,
  releaseAdvice,
  unlockCommand,
  type Advice,
} from "./run-info";

const POLL_MS = 200;

/** Returns the path of this program's lock. Terraform's own lock has another name. */
export function lockPath(statePath: string): string {
  return `${statePath}.lock`;
}

/**
 * Locks a state file against other runs of this program. The lock of a process on this machine that
 * has ended is taken over, with a warning. Fails while Terraform's own lock exists; a Terraform that
 * starts later cannot be locked out, only detected when the state is written. Terraform's lock is
 * next to the path that it was given, which may be a symbolic link to `statePath`.
 */
export async function lockState(
  statePath: string,
  request: LockRequest,
  givenPath = statePath,
  advice: Advice = plainAdvice,
): Promise<{ lock?: Lock; takenOver?: boolean; diagnostics: readonly Diagnostic[] }> {
  const path = lockPath(statePath);
  const info = ownRun(statePath, request);
  const deadline = world.clock.steady() + (request.waitMs ?? 0);
  try {
    makeFolder(dirname(path));
    await tidyOnce(dirname(path));
    for (;;) {
      const acquired = await acquire(path, info);
      const refusal = !acquired.held
        ? lockedBy(acquired.by, statePath, advice)
        : request.forTerraform
          ? undefined
          : await anyTerraformLock(new Set([givenPath, statePath]));
      if (acquired.held && !refusal) {
        return {
          lock: hold(path, info.ID, advice),
          takenOver: acquired.takenFrom !== undefined,
          diagnostics: acquired.takenFrom ? [takenOver(acquired.takenFrom, statePath)] : [],
        };
      }
      if (acquired.held) await release(path, info.ID);
      const left = deadline - world.clock.steady();
      if (refusal && left <= 0) return { diagnostics: [refusal] };
      await world.clock.sleep(Math.min(POLL_MS, left));
    }
  } catch (cause) {
    if (request.readOnly === true && isReadOnly(cause)) return unlocked(path, statePath, advice);
    return { diagnostics: [cannotLock(path, cause)] };
  }
}

function isReadOnly(cause: unknown): boolean {
  return ["EROFS", "EACCES", "EPERM"].includes(errorCode(cause) ?? "");
}

/** Reads without a lock where none can be created, unless another run holds one. */
async function unlocked(
  path: string,
  statePath: string,
  advice: Advice,
): Promise<{ lock?: Lock; diagnostics: readonly Diagnostic[] }> {
  try {
    const holder = await readHolder(path);
    const isHeld = holder && (holder === "unreadable" || isRunning(holder.Process) !== "ended");
    const refusal = isHeld ? lockedBy(holder, statePath, advice) : await terraformLock(statePath);
    if (refusal) return { diagnostics: [refusal] };
    return { lock: { id: "", release: () => Promise.resolve([]) }, diagnostics: [] };
  } catch (cause) {
    return { diagnostics: [cannotLock(path, cause)] };
  }
}

function cannotLock(path: string, cause: unknown): Diagnostic {
  return error("State cannot be locked", `Lock file ${path}: ${fileFault(cause, path)}`);
}

const tidied = ofWorld(() => new Set<string>());

/** A killed run leaves drafts; one look a folder is enough, also for thousands of stacks. */
async function tidyOnce(folder: string): Promise<void> {
  if (tidied().has(folder)) return;
  tidied().add(folder);
  await removeLockDrafts(folder);
}

/** Removes the lock with this ID, even if its process still runs. */
export async function removeLock(statePath: string, id: string): Promise<readonly Diagnostic[]> {
  const path = lockPath(statePath);
  try {
    const holder = await readHolder(path);
    if (!holder) {
      return [
        error(
          "State is not locked",
          `There is no lock file ${path}, so there is nothing to release.`,
        ),
      ];
    }
    if (holder === "unreadable") {
      return [
        error("Lock has no ID", `${path} is not a lock of this program. Delete it manually.`),
      ];
    }
    if (holder.ID !== id) {
      return [
        error(
          "Another lock",
          printed`The lock is not ${id}.\n\n${formatRun(holder, holder.Process.pid)}`,
        ),
      ];
    }
    if (await breakLock(path, holder, ownRun(statePath, { operation: "force-unlock" }))) return [];
    return [error("Lock is changing hands", `Another run is taking over ${path} right now.`)];
  } catch (cause) {
    return [error("State cannot be unlocked", `Lock file ${path}: ${errorText(cause)}.`)];
  }
}

/** Describes the holder of the lock: a run that has not ended, or Terraform. */
export async function lockHolder(
  statePath: string,
  givenPath: string,
): Promise<LockHolder | undefined> {
  const holder = await readHolder(lockPath(statePath)).catch(() => undefined);
  const isHeld = holder && (holder === "unreadable" || isRunning(holder.Process) !== "ended");
  if (isHeld) return holder === "unreadable" ? UNREADABLE_HOLDER : summarize(holder);
  const bytes =
    (await readIfPresent(terraformLockPath(givenPath)).catch(() => undefined)) ??
    (await readIfPresent(terraformLockPath(statePath)).catch(() => undefined));
  return bytes && (parseTerraformLock(bytes.toString("utf8")) ?? UNREADABLE_HOLDER);
}

const UNREADABLE_HOLDER: LockHolder = { id: "", operation: "", who: "", created: "" };

function summarize({
  ID,
  Operation,
  Who,
  Created,
  Info = "",
}: TerraformLockInfo & { readonly Info?: string }): LockHolder {
  const run = parseHoldingRun(Info);
  return { id: ID, operation: Operation, who: Who, created: Created, ...(run && { run }) };
}

function ownRun(statePath: string, request: LockRequest): LockInfo {
  return { ...describeRun(statePath, request), Process: ownIdentity() };
}

const held = new Map<string, string>();

function hold(path: string, id: string, advice: Advice): Lock {
  if (held.size === 0) process.once("exit", releaseAll);
  held.set(id, path);
  return {
    id,
    async release() {
      try {
        await release(path, id);
        held.delete(id);
        if (held.size === 0) process.removeListener("exit", releaseAll);
        return [];
      } catch (cause) {
        return [notReleased(id, `Lock file ${path}: ${errorText(cause)}`, advice)];
      }
    },
  };
}

function releaseAll(): void {
  for (const [id, path] of held) releaseAtExit(path, id);
}

function lockedBy(holder: Holder, statePath: string, advice: Advice): Diagnostic {
  if (holder === "unreadable") {
    return error(
      "State is locked",
      `${lockPath(statePath)} exists, but is not a lock of this program. If nothing uses the state ` +
        `${statePath}, delete it.`,
    );
  }
  const ending =
    isRunning(holder.Process) === "elsewhere"
      ? `That process runs on another host or in another container. ${releaseAdvice(holder, advice)}`
      : `Wait until it ends. If it hangs, terminate it and run "${unlockCommand(holder.ID, advice)}".`;
  return error(
    "State is locked",
    printed`Another run uses the state ${statePath}.\n\n${formatRun(holder, holder.Process.pid)}\n\n${ending}`,
  );
}

function takenOver(holder: LockInfo, statePath: string): Diagnostic {
  return warning(
    "Lock of a dead process was taken over",
    printed`The process that had locked ${statePath} has ended without unlocking it.\n\n${formatRun(holder, holder.Process.pid)}`,
  );
}

const terraformLockInfo = z.object({
  ID: z.string(),
  Operation: z.string(),
  Who: z.string(),
  Created: z.string(),
});

type TerraformLockInfo = z.infer<typeof terraformLockInfo>;

/** The path of Terraform's `.NAME.lock.info` next to the state file. */
function terraformLockPath(statePath: string): string {
  const name = basename(statePath).replace(/^\./, "");
  return join(dirname(statePath), `.${name}.lock.info`);
}

/** Reports Terraform's lock. */
async function anyTerraformLock(paths: Iterable<string>): Promise<Diagnostic | undefined> {
  for (const path of paths) {
    const refusal = await terraformLock(path);
    if (refusal) return refusal;
  }
  return undefined;
}

async function terraformLock(statePath: string): Promise<Diagnostic | undefined> {
  const path = terraformLockPath(statePath);
  const bytes = await readIfPresent(path);
  if (!bytes) return undefined;
  return error(
    "State is locked by Terraform",
    printed`Terraform uses the state ${statePath}.\n\n${describeTerraformLock(bytes.toString("utf8"))}\n\nWait until it ends. If no Terraform runs on this state, delete ${path}.`,
  );
}

function describeTerraformLock(text: string): string | Printed {
  try {
    return formatRun(terraformLockInfo.parse(JSON.parse(text)));
  } catch {
    return "  (its lock info is not readable)";
  }
}

function parseTerraformLock(text: string): LockHolder | undefined {
  try {
    return summarize(terraformLockInfo.parse(JSON.parse(text)));
  } catch {
    return undefined;
  }
}
