import type { Diagnostic } from "../core/diagnostics";
import type { RunInfo } from "./run-info";
import {
  CHANGED,
  NOT_STORED,
  StoreError,
  type LockAnswer,
  type StateStore,
  type TextStore,
} from "./state-store";

export interface StoredBlob {
  readonly bytes: Buffer;
  /** Another one after each write, as an ETag. */
  readonly version: string;
}

/** The answer to a write. */
export interface WrittenObject {
  readonly version: string;
  /** True if the server has returned the checksum of what was sent. */
  readonly isProved: boolean;
}

export interface ListedObjects {
  readonly names: readonly string[];
  /** The mark of the next page. Undefined: this is the last one. */
  readonly next: string | undefined;
}

/** The requests to an object store. They reject with a `StoreError`. */
export interface ObjectClient {
  /** Returns undefined if there is no object of that name. */
  read(name: string): Promise<StoredBlob | undefined>;
  /**
   * Writes an object. Writes nothing and returns undefined if the present
   * version is not this one.
   *
   * @param replaces undefined: there is no object yet
   */
  write(
    name: string,
    bytes: Buffer,
    replaces: string | undefined,
  ): Promise<WrittenObject | undefined>;
  /**
   * Returns a page of the names that begin with a prefix.
   *
   * @param next of the page before
   */
  list(prefix: string, next: string | undefined): Promise<ListedObjects>;
  /**
   * Deletes a version. Returns false if the present one is another.
   *
   * @param version undefined: any
   */
  delete(name: string, version: string | undefined): Promise<boolean>;
}

/**
 * Writes an object, and returns its version, as `ObjectClient.write`. Without the checksum of the
 * server, the object is read back; rejects if it is not what was written.
 */
export async function writeProved(
  client: ObjectClient,
  name: string,
  bytes: Buffer,
  replaces: string | undefined,
): Promise<string | undefined> {
  const written = await client.write(name, bytes, replaces);
  if (!written || written.isProved) return written?.version;
  const found = await client.read(name);
  if (!found?.bytes.equals(bytes)) throw new StoreError(NOT_STORED);
  return found.version;
}

/** The copies of one version of a state. */
const MOST_KEPT = 100;
/** The pages of a list. Each has about a thousand names. */
const MOST_PAGES = 1_000;

/** The locks of a state, as in `StateStore`. */
export type StateLocks = Pick<StateStore, "lock" | "unlock">;

/** The place of a state in an object store. */
export interface ObjectPlace {
  /** To be displayed; equal for two places that are the same. */
  readonly location: string;
  readonly cautions: readonly Diagnostic[];
  readonly client: ObjectClient;
  readonly locks: StateLocks;
  /** The name of the object. */
  readonly name: string;
  /** The parts of the object's name around that of a workspace. */
  readonly around: { readonly before: string; readonly after: string };
  /** The name of the object for a state that was moved away. */
  nameOfKept(ending: string): string;
}

/**
 * Keeps a state in an object of S3, Google Cloud Storage or Azure Storage. Each write replaces only the
 * version that this store has read or written last. A write whose answer was lost is repeated, and
 * finds its own bytes.
 */
export class ObjectStore implements StateStore {
  readonly location: string;
  readonly cautions: readonly Diagnostic[];
  private version: string | undefined;

  constructor(private readonly place: ObjectPlace) {
    this.location = place.location;
    this.cautions = place.cautions;
  }

  async get(): Promise<Buffer | undefined> {
    const { client, name } = this.place;
    const found = await client.read(name);
    this.version = found?.version;
    // Terraform takes an empty object for no state.
    return found && found.bytes.length > 0 ? found.bytes : undefined;
  }

  async put(bytes: Buffer): Promise<void> {
    const { name } = this.place;
    const written = await this.written(name, bytes, this.version);
    if (written === undefined) throw new StoreError(CHANGED);
    this.version = written;
  }

  async delete(): Promise<void> {
    const { client, name } = this.place;
    if (this.version === undefined) return;
    if (!(await client.delete(name, this.version))) throw new StoreError(CHANGED);
    this.version = undefined;
  }

  async keep(ending: string, bytes: Buffer): Promise<string> {
    const first = this.place.nameOfKept(ending);
    for (let attempt = 0; attempt < MOST_KEPT; attempt++) {
      const name = attempt === 0 ? first : `${first}.${attempt}`;
      if ((await this.written(name, bytes, undefined)) !== undefined) return name;
    }
    throw new StoreError(`the server has ${MOST_KEPT} objects whose names begin with ${first}`);
  }

  async workspaces(): Promise<readonly string[]> {
    const { client, around } = this.place;
    const { before, after } = around;
    const found: string[] = [];
    let next: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const listed = await client.list(before, next);
      const names = listed.names.filter((name) => name.startsWith(before) && name.endsWith(after));
      found.push(...names.map((name) => name.slice(before.length, name.length - after.length)));
      ({ next } = listed);
      if (next === undefined || next === "") return found;
    }
    throw new StoreError(`the list of its objects has more than ${MOST_PAGES} pages`);
  }

  beside(name: string): TextStore {
    const { place } = this;
    // A name with a slash is none of a workspace.
    const ending = `.runs/${name}`;
    const location = place.location + ending;
    return new ObjectStore({ ...place, location, name: place.nameOfKept(ending) });
  }

  lock(info: RunInfo): Promise<LockAnswer | undefined> {
    return this.place.locks.lock(info);
  }

  unlock(id: string): Promise<void> {
    return this.place.locks.unlock(id);
  }

  /** Returns the version that has these bytes; undefined if another program has written others. */
  private async written(name: string, bytes: Buffer, replaces: string | undefined) {
    const { client } = this.place;
    const version = await writeProved(client, name, bytes, replaces);
    if (version !== undefined) return version;
    const found = await client.read(name);
    return found?.bytes.equals(bytes) ? found.version : undefined;
  }
}
