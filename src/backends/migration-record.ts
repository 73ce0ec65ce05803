import { join } from "node:path";
import { z } from "zod";
import { removeIfPresent } from "../core/io/durable-file";
import { makeFolder } from "../core/io/make-folder";
import { readTextFile } from "../core/io/read-file";
import { writeFileNow } from "../core/io/write-file";
import { world } from "../core/io/world";
import { isRunning, ownIdentity, processIdentity } from "./lock-file";

const content = z.object({ lock: z.uuid(), process: processIdentity });

/**
 * Records the ID of the locks of a migration. A repeated one after a kill uses it again, since a
 * store takes a lock with the same ID for its own: on a server, a lock does not end with its holder.
 */
export class MigrationRecord {
  private constructor(
    private readonly path: string,
    readonly lockId: string,
  ) {}

  /** @param folder The data folder of the stack. */
  static async open(folder: string): Promise<MigrationRecord> {
    const path = join(folder, "cdktf-console.migration.json");
    const text = await readTextFile(path).catch(() => undefined);
    const left = text === undefined ? undefined : parse(text);
    const lock = left && isRunning(left.process) === "ended" ? left.lock : world.random.uuid();
    makeFolder(folder);
    writeFileNow(path, JSON.stringify({ lock, process: ownIdentity() }), "replace");
    return new MigrationRecord(path, lock);
  }

  close(): void {
    removeIfPresent(this.path);
  }
}

function parse(text: string): z.infer<typeof content> | undefined {
  try {
    return content.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
