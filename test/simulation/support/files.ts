import { constants } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Files } from "../../../src/core/io/files";
import type { Disk, Inode } from "./disk";
import type { Faults } from "./faults";
import type { Process } from "./machine";

/** An open file of a process. */
interface Open {
  readonly inode: Inode;
  readonly path: string;
  readonly appends: boolean;
  position: number;
}

interface Options {
  readonly throwIfNoEntry?: boolean;
  readonly force?: boolean;
  readonly mode?: number | undefined;
}

const FLAGS: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  "r+": constants.O_RDWR,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
};

export function systemError(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}

/** The files of a process on the disk of its machine. */
export class SimulatedFiles {
  private readonly open = new Map<number, Open>();
  private nextDescriptor = 3;

  constructor(
    private readonly process: Process,
    private readonly disk: Disk,
    private readonly faults: Faults,
  ) {}

  get calls(): Files {
    const later =
      <Given extends readonly unknown[], T>(call: (...given: Given) => T) =>
      (...given: Given) =>
        this.process.wait(this.faults.diskDelay(), () => call(...given));
    const stat = (path: string, options?: Options) => this.stat(path, true, options);
    const lstat = (path: string, options?: Options) => this.stat(path, false, options);
    const rename = (from: string, to: string) => {
      this.rename(from, to);
    };
    const remove = (path: string, options?: Options) => {
      this.remove(path, options);
    };
    const readdir = (path: string) => this.readdir(path);
    const simulated = {
      closeSync: (fd: number) => void this.open.delete(fd),
      copyFile: later((from: string, to: string) => {
        this.copy(from, to);
      }),
      existsSync: (path: string) => this.find(path) !== undefined,
      fstatSync: (fd: number) => statsOf(this.descriptor(fd).inode),
      ftruncateSync: (fd: number, length: number) => {
        const { inode, path } = this.descriptor(fd);
        this.truncate(inode, path, length);
      },
      linkSync: (from: string, to: string) => {
        this.link(from, to);
      },
      lstat: later(lstat),
      lstatSync: lstat,
      mkdirSync: (path: string, options?: Options) => {
        this.mkdir(path, options);
      },
      openSync: (path: string, flags: string | number, mode?: number) =>
        this.openFile(path, typeof flags === "string" ? (FLAGS[flags] ?? 0) : flags, mode),
      readdir: later(readdir),
      readdirSync: readdir,
      readlinkSync: (path: string) => this.readlink(path),
      readSync: (fd: number, into: Uint8Array, offset: number, length: number) =>
        this.read(fd, into, offset, length),
      realpathSync: { native: (path: string) => this.real(path) },
      rename: later(rename),
      rm: later(remove),
      rmSync: remove,
      stat: later(stat),
      statSync: stat,
      sync: (fd: number) => this.sync(fd, "fsync"),
      syncContent: (fd: number) => this.sync(fd, "fdatasync"),
      truncate: later((path: string, length: number) => {
        this.truncate(this.existing(path, "truncate"), path, length);
      }),
      unlink: later(remove),
      unlinkSync: remove,
      writeFileSync: (fd: number, content: string | Uint8Array) => {
        const bytes = bytesOf(content);
        for (let at = 0; at < bytes.length;) at += this.write(fd, bytes, at);
      },
      writeSync: (fd: number, content: string | Uint8Array, offset = 0) =>
        this.write(fd, bytesOf(content), offset),
    };
    return simulated as unknown as Files;
  }

  /** Follows the links of a path to its end. */
  private real(path: string): string {
    const inode = this.disk.at(path);
    if (!inode) throw systemError("ENOENT", "realpath", path);
    return inode.kind === "link" ? this.real(this.readlink(path)) : path;
  }

  private find(path: string): Inode | undefined {
    const inode = this.disk.at(path);
    return inode?.kind === "link" ? this.find(this.readlink(path)) : inode;
  }

  private existing(path: string, syscall: string): Inode {
    this.process.check();
    const inode = this.find(path);
    if (!inode) throw systemError("ENOENT", syscall, path);
    return inode;
  }

  private descriptor(fd: number): Open {
    this.process.check();
    const open = this.open.get(fd);
    if (!open) throw systemError("EBADF", "descriptor", String(fd));
    return open;
  }

  private stat(path: string, follows: boolean, { throwIfNoEntry = true }: Options = {}) {
    this.process.check();
    const inode = follows ? this.find(path) : this.disk.at(path);
    if (inode) return statsOf(inode);
    if (throwIfNoEntry) throw systemError("ENOENT", "stat", path);
    return undefined;
  }

  private readdir(path: string): string[] {
    const inode = this.existing(path, "scandir");
    if (inode.kind !== "folder") throw systemError("ENOTDIR", "scandir", path);
    return this.disk.below(path).map((entry) => entry.slice(path === "/" ? 1 : path.length + 1));
  }

  private readlink(path: string): string {
    this.process.check();
    const inode = this.disk.at(path);
    if (inode?.kind !== "link") throw systemError("EINVAL", "readlink", path);
    return resolve(dirname(path), inode.content.toString());
  }

  private mkdir(path: string, { mode = 0o777 }: Options = {}): void {
    this.process.check();
    if (this.disk.at(path)) throw systemError("EEXIST", "mkdir", path);
    this.existing(dirname(path), "mkdir");
    this.faults.onChange("mkdir", path, this.process, () => {
      this.disk.set([{ path, inode: this.disk.create("folder", mode) }]);
    });
  }

  private openFile(path: string, flags: number, mode = 0o666): number {
    this.process.check();
    let inode = this.find(path);
    if (inode && flags & constants.O_EXCL) throw systemError("EEXIST", "open", path);
    if (!inode && !(flags & constants.O_CREAT)) throw systemError("ENOENT", "open", path);
    if (!inode) {
      this.existing(dirname(path), "open");
      const created = (inode = this.disk.create("file", mode));
      this.faults.onChange("create", path, this.process, () => {
        this.disk.set([{ path, inode: created }]);
      });
    }
    if (flags & constants.O_TRUNC) this.truncate(inode, path, 0);
    const fd = this.nextDescriptor++;
    const appends = (flags & constants.O_APPEND) !== 0;
    this.open.set(fd, { inode, path, appends, position: 0 });
    return fd;
  }

  private read(fd: number, into: Uint8Array, offset: number, length: number): number {
    const open = this.descriptor(fd);
    if (open.inode.kind === "folder") throw systemError("EISDIR", "read", open.path);
    const count = open.inode.content.copy(into, offset, open.position, open.position + length);
    open.position += count;
    return count;
  }

  private write(fd: number, bytes: Buffer, offset: number): number {
    const open = this.descriptor(fd);
    const given = bytes.subarray(offset);
    const put = (count: number) => {
      const { inode } = open;
      const at = open.appends ? inode.content.length : open.position;
      const written = given.subarray(0, count);
      inode.content = Buffer.concat([
        inode.content.subarray(0, at),
        written,
        inode.content.subarray(at + count),
      ]);
      open.position = at + count;
    };
    return this.faults.onWrite(open.path, given.length, this.process, put);
  }

  private truncate(inode: Inode, path: string, length: number): void {
    this.faults.onChange("truncate", path, this.process, () => {
      inode.content = inode.content.subarray(0, length);
    });
  }

  private rename(from: string, to: string): void {
    const inode = this.existing(from, "rename");
    this.faults.onChange("rename", to, this.process, () => {
      this.disk.set([
        { path: from, inode: undefined },
        { path: to, inode },
      ]);
    });
  }

  private link(from: string, to: string): void {
    const inode = this.existing(from, "link");
    if (this.disk.at(to)) throw systemError("EEXIST", "link", to);
    this.faults.onChange("link", to, this.process, () => {
      this.disk.set([{ path: to, inode }]);
    });
  }

  private copy(from: string, to: string): void {
    const { content } = this.existing(from, "copyfile");
    if (this.disk.at(to)) throw systemError("EEXIST", "copyfile", to);
    const inode = this.disk.create("file", 0o600, content);
    this.faults.onChange("copyfile", to, this.process, () => {
      this.disk.set([{ path: to, inode }]);
    });
  }

  private remove(path: string, { force = false }: Options = {}): void {
    this.process.check();
    if (!this.disk.at(path)) {
      if (force) return;
      throw systemError("ENOENT", "unlink", path);
    }
    this.faults.onChange("unlink", path, this.process, () => {
      this.disk.set([{ path, inode: undefined }]);
    });
  }

  private async sync(fd: number, call: "fsync" | "fdatasync"): Promise<void> {
    const { inode, path } = this.descriptor(fd);
    await this.process.wait(this.faults.syncDelay(), () => {
      this.faults.onChange(call, path, this.process, () => {
        this.disk.sync(inode, path);
      });
    });
  }
}

const bytesOf = (content: string | Uint8Array) =>
  typeof content === "string" ? Buffer.from(content) : Buffer.from(content);

function statsOf(inode: Inode) {
  return {
    ino: inode.number,
    size: inode.content.length,
    mode: inode.mode,
    mtime: new Date(0),
    uid: process.getuid?.() ?? 0,
    isFile: () => inode.kind === "file",
    isDirectory: () => inode.kind === "folder",
    isSymbolicLink: () => inode.kind === "link",
    isFIFO: () => false,
    isCharacterDevice: () => false,
  };
}
