import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { Limit } from "../../../core/io/limit";
import { entryAt } from "../../../core/io/read-file";
import { world } from "../../../core/io/world";
import { printed } from "../../../core/printed";
import { formatStackCount } from "../../../formats/text/counts";
import { shortStackList } from "../../../review/exclusions/exclusions-text";
import type { LockHolder } from "../../../backends";
import { ExitCode } from "../../exit-code";
import { readRecord } from "../../rollout/recorded-log";
import type { StoredStack } from "../../stored/stored-stack";
import { openStoredStacks, type StoredOptions } from "../../stored/stored-stacks";
import { confirm } from "../../terminal/confirmation";
import type { Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** A run whose record grew within this time may still run. */
const QUIET_MS = 600_000;

/** Servers that are asked at the same time. */
const MOST_REQUESTS = 10;

interface HeldStack {
  readonly stack: StoredStack;
  readonly holder: LockHolder;
}

/** Releases the locks that a run holds, and no others, after one question. */
export async function forceUnlockRun(
  screen: Screen,
  run: string,
  options: StoredOptions & { readonly force?: boolean },
): Promise<ExitCode> {
  const { terminal } = screen;
  if (options.engine !== "embedded") return screen.fail(ONLY_EMBEDDED);
  const found = await idOf(terminal, run);
  if ("problem" in found) return screen.fail(found.problem);
  const stacks = await openStoredStacks(screen, options);
  if (!stacks) return ExitCode.ERROR;
  const limit = new Limit(MOST_REQUESTS);
  const asked = await Promise.all(
    stacks.map((stack) =>
      limit.run(async (): Promise<readonly HeldStack[]> => {
        const holder = await stack.backend.holder();
        return holder?.run?.run === found.id ? [{ stack, holder }] : [];
      }),
    ),
  );
  const held = asked.flat();
  const refusal =
    held.length === 0 ? nothingHeld(found.id) : await stillRuns(terminal, held, found.id, run);
  if (refusal) return screen.fail(refusal);
  if (!options.force && !(await isConfirmed(screen, held, options))) return ExitCode.ERROR;
  const problems = await Promise.all(
    held.map(({ stack, holder }) => limit.run(() => stack.backend.forceUnlock(holder.id))),
  );
  const released = problems.filter(({ length }) => length === 0).length;
  screen.print(printed`Released the locks of ${formatStackCount(released)}.\n`);
  return screen.report(problems.flat()) ? ExitCode.ERROR : ExitCode.DONE;
}

async function isConfirmed(
  screen: Screen,
  held: readonly HeldStack[],
  { input }: StoredOptions,
): Promise<boolean> {
  if (input === false) {
    screen.fail(NOT_CONFIRMED);
    return false;
  }
  const names = shortStackList(held.map(({ stack }) => stack.stack));
  const agreed = await confirm(screen, {
    title: `Do you really want to force-unlock ${formatStackCount(held.length)}?`,
    lines: [
      names,
      "A run that still holds the locks would no longer be protected from other runs.",
      "Only 'yes' will be accepted to confirm.",
    ],
    option: "--force",
  });
  if (!agreed) screen.print(printed`\nForce-unlock cancelled.\n`);
  return agreed;
}

/** Returns the ID of a run, which is given by it or by its record. */
async function idOf(
  terminal: Terminal,
  run: string,
): Promise<{ readonly id: string } | { readonly problem: Diagnostic }> {
  if (!entryAt(resolve(terminal.directory, run))?.isFile()) return { id: run };
  const read = await readRecord(terminal, run, { objects: false });
  if ("problem" in read) return read;
  const { id } = read.record;
  return id === undefined ? { problem: noId(run) } : { id };
}

/** Finds a record of the run that grew lately, in this folder, those in it, and that of the given record. */
async function recentRecord(
  terminal: Terminal,
  id: string,
  run: string,
): Promise<{ readonly name: string; readonly ageMs: number } | undefined> {
  const entryOf = (name: string) => entryAt(resolve(terminal.directory, name));
  const below = await world.files.readdir(terminal.directory);
  const inside = below.filter((name) => entryOf(name)?.isDirectory() === true);
  const now = world.clock.now().getTime();
  for (const folder of new Set([".", ...inside, dirname(run)])) {
    const names = await world.files.readdir(resolve(terminal.directory, folder)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(".jsonl"))) {
      const path = join(folder, name);
      const ageMs = now - (entryOf(path)?.mtimeMs ?? 0);
      if (ageMs >= QUIET_MS) continue;
      // A record has any name, and no ID before its first line is written.
      if (name.startsWith(`${id}.`)) return { name: path, ageMs };
      const read = await readRecord(terminal, path, { objects: false });
      if ("record" in read && read.record.id === id) return { name: path, ageMs };
    }
  }
  return undefined;
}

async function stillRuns(
  terminal: Terminal,
  held: readonly HeldStack[],
  id: string,
  run: string,
): Promise<Diagnostic | undefined> {
  const here = held.find(
    ({ holder: { who, run: of } }) =>
      who.endsWith(`@${hostname()}`) && of && world.processes.exists(of.process),
  );
  if (here) {
    const detail = `Process ${here.holder.run?.process} on this host holds the lock of stack "${here.stack.stack}". End it first; if it is another program, release the locks by their IDs.`;
    return error(`The run ${id} is running`, detail);
  }
  const recent = await recentRecord(terminal, id, run);
  if (!recent) return undefined;
  const seconds = Math.max(0, Math.round(recent.ageMs / 1000));
  const detail = `${recent.name} grew ${seconds} s ago, so the run may go on. Locks are released when it has not grown for ten minutes.`;
  return error(`The run ${id} may be running`, detail);
}

const ONLY_EMBEDDED = error(
  "Unsupported by this engine",
  "Only locks of the embedded engine have the ID of a run. Release the others one by one, by their IDs.",
);

const NOT_CONFIRMED = error(
  "Not confirmed",
  "With --no-input there are no questions, so the removal of the locks cannot be confirmed. Use --force to skip the confirmation.",
);

function noId(file: string): Diagnostic {
  return error("Record has no ID", `${file} is the output of --json. Give the ID of the run.`);
}

function nothingHeld(id: string): Diagnostic {
  return error(
    "The run holds no lock",
    `None of the selected stacks is locked by the run ${JSON.stringify(id)}. "cdktf-console history FOLDER --json" lists the IDs. Locks of PostgreSQL end with the connection of their run, and need no release.`,
  );
}
