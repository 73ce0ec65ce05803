import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { parseJson, stringifyJson } from "../../core/json/lossless-json";
import { errorText, fileProblem } from "../../core/io/file-problem";
import { makeFolder } from "../../core/io/make-folder";
import { readTextNow } from "../../core/io/read-file";
import {
  removeDrafts,
  removeIfPresent,
  replaceFile,
  syncDirectory,
} from "../../core/io/durable-file";
import { world } from "../../core/io/world";
import type { Environment } from "../../core/environment";
import { compareStrings, type KnownObject } from "../../core/values";
import { dataFolder, DEFAULT_WORKSPACE, selectedWorkspace } from "../../core/workspace";

/** The content of a collection before the first write, and what the writes since then make of it. */
export interface Checkpoint {
  /** The path of its file. */
  readonly file: string;
  /** ISO 8601. */
  readonly time: string;
  /** JSON: the items that the first write found. See `takeSnapshot`. */
  readonly snapshot: string;
  /** The entries that the console has after each write that was started, as a state holds them. */
  readonly writes: readonly (readonly KnownObject[])[];
}

/** The resource type that a checkpoint is of, and its console. */
export interface CheckpointKey {
  readonly type: string;
  readonly console: string;
  /** Names under which earlier runs may have kept one of the same console. */
  readonly earlier: readonly string[];
}

/** A file that cannot be used. */
export interface UnusableCheckpoint {
  readonly file: string;
  /** To be shown after the name of the file. */
  readonly problem: string;
}

/**
 * Keeps what the first write to a collection found, in one file for each, until a state has it:
 * Terraform has no place for it while a create runs. The files are in Terraform's data folder of a
 * stack, or in the folder that `CWP_CHECKPOINT_DIR` names. They are only of use to runs in the same
 * working directory and workspace.
 */
export class CheckpointFolder {
  readonly path: string;
  /** Files that no state can have yet: this connection wrote or used them. */
  private readonly current = new Set<string>();

  constructor(
    private readonly directory: string,
    private readonly environment: Environment,
  ) {
    const { CWP_CHECKPOINT_DIR = "" } = environment;
    this.path =
      CWP_CHECKPOINT_DIR === ""
        ? join(dataFolder(directory, environment), FOLDER)
        : resolve(directory, CWP_CHECKPOINT_DIR);
  }

  /** Returns the checkpoints of runs that did not end, the latest first. */
  async left(key: CheckpointKey): Promise<readonly (Checkpoint | UnusableCheckpoint)[]> {
    try {
      if (!exists(this.path)) return [];
      this.refuseIfOpen();
      const starts = await Promise.all(keysOf(key).map((one) => this.startOfNames(one)));
      const names = (await world.files.readdir(this.path)).filter(
        (name) => starts.some((start) => name.startsWith(start)) && name.endsWith(END),
      );
      const found = names.map((name) => this.read(name));
      const timeOf = (one: Checkpoint | UnusableCheckpoint) => ("time" in one ? one.time : "");
      return found.sort((a, b) => compareStrings(timeOf(b), timeOf(a)));
    } catch (cause) {
      return [{ file: this.path, problem: errorText(cause) }];
    }
  }

  /** Stores a checkpoint durably. Throws an error with advice if that fails. */
  async keep(key: CheckpointKey, checkpoint: Omit<Checkpoint, "file" | "time">): Promise<void> {
    const file = await this.fileOf(key, checkpoint.snapshot);
    try {
      await this.create();
      const content = {
        format: 1,
        ...(await this.owner(key)),
        time: world.clock.now().toISOString(),
        found: parseJson(checkpoint.snapshot),
        writes: checkpoint.writes,
      };
      await removeDrafts(file);
      await replaceFile(file, Buffer.from(`${stringifyJson(content, "  ")}\n`));
    } catch (cause) {
      throw new Error(
        `${this.path} cannot be written: ${errorText(cause)}. It keeps what the console has now, in case that the run is killed. Make it writable, or set the environment variable CWP_CHECKPOINT_DIR to another folder.`,
        { cause },
      );
    }
    this.current.add(file);
  }

  /** Notes that an object was made from a checkpoint: it stays until a state has the object. */
  use({ file }: Checkpoint): void {
    this.current.add(file);
  }

  /** Removes a checkpoint of this connection. */
  async withdraw(key: CheckpointKey, snapshot: string): Promise<void> {
    for (const one of keysOf(key)) this.current.delete(await this.fileOf(one, snapshot));
    await this.forget(key, snapshot);
  }

  /** Removes the checkpoint with the snapshot of a state, if there is one. */
  async forget(key: CheckpointKey, snapshot: string): Promise<void> {
    try {
      if (!exists(this.path)) return;
      for (const one of keysOf(key)) {
        const file = await this.fileOf(one, snapshot);
        if (!this.current.has(file)) removeIfPresent(file);
      }
    } catch {
      // It is of no use, but does no harm either.
    }
  }

  private read(name: string): Checkpoint | UnusableCheckpoint {
    const file = join(this.path, name);
    try {
      const { time, found, writes } = shape.parse(parseJson(readTextNow(file)));
      const snapshot = stringifyJson(found);
      if (name.endsWith(`.${endOfName(snapshot)}`)) return { file, time, snapshot, writes };
      return { file, problem: DAMAGED };
    } catch (cause) {
      return { file, problem: fileProblem(cause)?.text ?? DAMAGED };
    }
  }

  private async create(): Promise<void> {
    const missing = [this.path, dirname(this.path)].filter((folder) => !exists(folder));
    if (missing.length > 0) makeFolder(this.path, 0o700);
    for (const made of missing) await syncDirectory(dirname(made));
    this.refuseIfOpen();
  }

  /** Throws if another user could place a file there, which a destroy would restore. */
  private refuseIfOpen(): void {
    if (process.platform === "win32") return;
    const { mode, uid } = world.files.statSync(this.path);
    if ((mode & OTHERS_WRITE) !== 0) throw new Error("every user of this machine can write to it");
    if (uid !== 0 && uid !== process.getuid?.()) throw new Error("it belongs to another user");
  }

  private async fileOf(key: CheckpointKey, snapshot: string): Promise<string> {
    return join(this.path, `${await this.startOfNames(key)}${endOfName(snapshot)}`);
  }

  private async startOfNames(key: CheckpointKey): Promise<string> {
    const { type, console, folder, workspace } = await this.owner(key);
    return `${type}.${shortHash(JSON.stringify([console, folder, workspace]))}.`;
  }

  private async owner({ type, console }: CheckpointKey) {
    const { directory, environment } = this;
    const { workspace = DEFAULT_WORKSPACE } = await selectedWorkspace(directory, environment);
    return { type, console, folder: world.files.realpathSync.native(directory), workspace };
  }
}

function keysOf({ type, console, earlier }: CheckpointKey): readonly CheckpointKey[] {
  return [console, ...earlier].map((name) => ({ type, console: name, earlier: [] }));
}

/** In Terraform's data folder. */
const FOLDER = "cdktf-console.checkpoints";
const END = ".json";
const OTHERS_WRITE = 0o002;
const DAMAGED = "it is damaged";

function exists(path: string): boolean {
  return world.files.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function endOfName(snapshot: string): string {
  return `${shortHash(snapshot)}${END}`;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

// The result of parseJson is JSON at all levels.
const jsonObject = z.custom<KnownObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

const shape = z.object({
  format: z.literal(1),
  time: z.string(),
  found: z.array(jsonObject),
  writes: z.array(z.array(jsonObject)),
});
