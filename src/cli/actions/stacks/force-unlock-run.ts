import { hostname } from "node:os";
import { join, resolve } from "node:path";
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
  const found = await recordOf(terminal, run);
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
  const refusal = held.length === 0 ? nothingHeld(found.id) : stillRuns(held, found);
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

interface FoundRun {
  readonly id: string;
  /** The files of its record, and when they grew last; none if they are elsewhere. */
  readonly files: readonly { readonly name: string; readonly grewAt: number }[];
}

/** Finds the record: by its file, or by the ID in this folder and in the folders in it. */
async function recordOf(
  terminal: Terminal,
  run: string,
): Promise<FoundRun | { readonly problem: Diagnostic }> {
  const grewAt = (name: string) => entryAt(resolve(terminal.directory, name));
  const entry = grewAt(run);
  if (entry?.isFile()) {
    const read = await readRecord(terminal, run, { objects: false });
    if ("problem" in read) return read;
    const { id } = read.record;
    if (id === undefined) return { problem: noId(run) };
    return { id, files: [{ name: run, grewAt: entry.mtimeMs }] };
  }
  const below = await world.files.readdir(terminal.directory);
  const folders = ["", ...below.filter((name) => grewAt(name)?.isDirectory() === true)];
  const files: { name: string; grewAt: number }[] = [];
  for (const folder of folders) {
    const names = await world.files.readdir(resolve(terminal.directory, folder)).catch(() => []);
    for (const name of names.filter((one) => one.startsWith(run) && one.endsWith(".jsonl"))) {
      const path = join(folder, name);
      const time = grewAt(path)?.mtimeMs;
      if (time !== undefined) files.push({ name: path, grewAt: time });
    }
  }
  return { id: run, files };
}

function stillRuns(held: readonly HeldStack[], { id, files }: FoundRun): Diagnostic | undefined {
  const here = held.find(
    ({ holder: { who, run } }) =>
      who.endsWith(`@${hostname()}`) && run && world.processes.exists(run.process),
  );
  if (here) {
    const detail = `Process ${here.holder.run?.process} on this host holds the lock of stack "${here.stack.stack}". End it first; if it is another program, release the locks by their IDs.`;
    return error(`The run ${id} is running`, detail);
  }
  const now = world.clock.now().getTime();
  const recent = files.find(({ grewAt }) => now - grewAt < QUIET_MS);
  if (!recent) return undefined;
  const seconds = Math.max(0, Math.round((now - recent.grewAt) / 1000));
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
