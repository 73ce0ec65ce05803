import { dirname } from "node:path";
import type { Dice } from "./dice";

export type Bytes = Buffer;

/** A file, a folder or a link, by whatever names it has. */
export interface Inode {
  readonly number: number;
  readonly kind: "file" | "folder" | "link";
  mode: number;
  /** The content as processes see it. */
  content: Bytes;
  /** The content that a loss of power leaves, at least. */
  durable: Bytes;
}

/** A change of a name in a folder: undefined removes it. */
interface NameChange {
  readonly path: string;
  readonly inode: Inode | undefined;
}

/**
 * The disk of a machine. Writes of a killed process stay; after a loss of power, files have
 * their content of the last sync, or a part of what was written since, and each folder the first of
 * the changes of names since its last sync.
 */
export class Disk {
  private names = new Map<string, Inode>();
  private durableNames = new Map<string, Inode>();
  private unsynced = new Map<string, NameChange[][]>();
  private nextInode = 1;
  /** Bytes that can still be written; everything is possible up to then. */
  room = Number.POSITIVE_INFINITY;
  /** Syncs resolve, and nothing is durable. */
  lies = false;

  constructor() {
    this.set([{ path: "/", inode: this.create("folder", 0o755) }]);
    this.syncFolder("/");
  }

  create(kind: Inode["kind"], mode: number, content: Bytes = Buffer.alloc(0)): Inode {
    return { number: this.nextInode++, kind, mode, content, durable: Buffer.alloc(0) };
  }

  at(path: string): Inode | undefined {
    return this.names.get(path);
  }

  /** The paths of a folder's entries. */
  below(folder: string): string[] {
    return [...this.names.keys()].filter((path) => path !== "/" && dirname(path) === folder).sort();
  }

  /** Changes names in one step. All are in one folder. */
  set(changes: readonly NameChange[]): void {
    const [first] = changes;
    if (!first) return;
    apply(this.names, changes);
    const folder = dirname(first.path);
    // Folders are there from their creation on: no promise is about them.
    if (changes.every(({ inode }) => inode?.kind === "folder")) {
      apply(this.durableNames, changes);
    } else {
      this.unsynced.set(folder, [...(this.unsynced.get(folder) ?? []), [...changes]]);
    }
  }

  sync(inode: Inode, path: string): void {
    if (this.lies) return;
    if (inode.kind === "folder") this.syncFolder(path);
    else inode.durable = inode.content;
  }

  private syncFolder(folder: string): void {
    for (const changes of this.unsynced.get(folder) ?? []) apply(this.durableNames, changes);
    this.unsynced.delete(folder);
  }

  /** The machine stops, and starts with what was durable. */
  losePower(dice: Dice): void {
    for (const folder of [...this.unsynced.keys()].sort()) {
      const pending = this.unsynced.get(folder) ?? [];
      for (const changes of pending.slice(0, pending.length - dice.below(pending.length + 1))) {
        apply(this.durableNames, changes);
      }
    }
    this.unsynced.clear();
    this.names = new Map(this.durableNames);
    for (const inode of new Set(this.names.values())) {
      if (inode.kind === "file" && !inode.durable.equals(inode.content)) {
        inode.content = torn(inode, dice);
      }
      inode.durable = inode.content;
    }
  }

  /** The contents of all files, by path. */
  contents(): ReadonlyMap<string, Bytes> {
    const files = [...this.names].filter(([, { kind }]) => kind === "file");
    return new Map(files.map(([path, { content }]) => [path, content]));
  }

  /** Removes a file from outside of the simulation. */
  remove(path: string): void {
    this.set([{ path, inode: undefined }]);
    this.syncFolder(dirname(path));
  }

  /** Writes a file from outside of the simulation. */
  place(path: string, text: string): void {
    const folders: string[] = [];
    for (let at = dirname(path); !this.at(at); at = dirname(at)) folders.unshift(at);
    for (const folder of folders) {
      this.set([{ path: folder, inode: this.create("folder", 0o755) }]);
    }
    const inode = this.create("file", 0o644, Buffer.from(text));
    inode.durable = inode.content;
    this.set([{ path, inode }]);
    this.syncFolder(dirname(path));
  }
}

/** The content of a file after a loss of power, whose last writes were not synced. */
function torn({ content, durable }: Inode, dice: Dice): Bytes {
  const isAppended = content.subarray(0, durable.length).equals(durable);
  const whole = isAppended ? content : dice.chance(0.5) ? content : durable;
  const least = whole === durable || isAppended ? durable.length : 0;
  const length = least + dice.below(whole.length - least + 1);
  const kept = Buffer.from(whole.subarray(0, length));
  // The file system knows the length before the blocks are written.
  if (length > least && dice.chance(0.2)) kept.fill(0, least + dice.below(length - least));
  return kept;
}

function apply(names: Map<string, Inode>, changes: readonly NameChange[]): void {
  for (const { path, inode } of changes) {
    if (inode) names.set(path, inode);
    else names.delete(path);
  }
}
