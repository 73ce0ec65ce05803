import { isAscii } from "node:buffer";
import { createHash } from "node:crypto";
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin, wrap } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Script } from "node:vm";
import { makeFolder } from "./make-folder";
import { IS_EXECUTABLE, inExecutable, readPackageFile } from "./package-files";
import { canBeReplaced } from "./path-steps";
import { readFileNow } from "./read-file";

/*
 * Compiled code of this package's files, kept between runs: half of the start of a program is the
 * compilation of files that did not change. Node has this as `module.enableCompileCache` from version
 * 22.1 on, and its variables NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE count here too.
 */

/** The first runs of a command add the functions that they were the first to use. */
const RUNS_THAT_ADD = 4;

interface Loaded {
  exports: unknown;
}

const loaded = new Map<string, Loaded>();

/** Loads a CommonJS file and what it requires by relative paths, with compiled code of earlier runs. */
export function loadCompiled(file: string, environment = process.env): unknown {
  const known = loaded.get(file);
  if (known) return known.exports;
  const module: Loaded = { exports: {} };
  loaded.set(file, module);
  const source = readPackageFile(file);
  const kept = keptCode(source, environment);
  const script = new Script(wrap(decodeSource(source)), {
    filename: file,
    ...(kept?.code && { cachedData: kept.code }),
  });
  const required = createRequire(file);
  const load = (id: string): unknown => {
    if (id.startsWith(".")) return loadCompiled(jsFile(resolve(dirname(file), id)), environment);
    if (IS_EXECUTABLE && !isBuiltin(id)) {
      return loadCompiled(inExecutable(`node_modules/${id}.js`), environment);
    }
    return required(id);
  };
  const run: unknown = script.runInThisContext();
  if (typeof run !== "function") throw new Error(`${file} is not a module`);
  Reflect.apply(run, module.exports, [
    module.exports,
    Object.assign(load, required),
    module,
    file,
    dirname(file),
  ]);
  const runs = script.cachedDataRejected ? 0 : (kept?.runs ?? 0);
  if (kept && runs < RUNS_THAT_ADD) {
    process.once("exit", (code) => {
      // A run that failed has used little of the file.
      if (code === 0) keep(kept.path, script.createCachedData(), runs + 1);
    });
  }
  return module.exports;
}

/** Files of the build are ASCII, which decodes in a third of the time. */
function decodeSource(source: Buffer): string {
  return source.toString(isAscii(source) ? "latin1" : "utf8");
}

function jsFile(path: string): string {
  return path.endsWith(".js") ? path : `${path}.js`;
}

interface KeptCode {
  readonly path: string;
  /** Absent before the first run. */
  readonly code?: Buffer;
  /** The number of runs that the code is of. */
  readonly runs: number;
}

/**
 * Compiled code is executed as it is, so it is read only from a folder that nobody else can write to,
 * or replace on the way to it.
 */
function keptCode(source: Buffer, environment: NodeJS.ProcessEnv): KeptCode | undefined {
  if ((environment.NODE_DISABLE_COMPILE_CACHE ?? "") !== "") return undefined;
  try {
    const folder = folderOf(environment);
    makeFolder(folder, 0o700);
    const { uid, mode } = statSync(folder);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return undefined;
    if (canBeReplaced(folder)) return undefined;
    const path = join(folder, digestOf(source, process.argv[2]).toString("hex"));
    return { path, runs: 0, ...read(path) };
  } catch {
    // Without a home, or on a read-only disk, the program starts more slowly.
    return undefined;
  }
}

/** Compiled code is that of one version of V8. */
function folderOf({ NODE_COMPILE_CACHE, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  const given = [NODE_COMPILE_CACHE, XDG_CACHE_HOME].find(
    (path) => path !== undefined && path !== "",
  );
  const cache = given ?? join(homedir(), ".cache");
  return join(cache, "cdktf-console", `${process.version}-${process.arch}`);
}

const DIGEST_BYTES = 32;

/** Reads the code, before it the number of runs and a digest: V8 would execute damaged code. */
function read(path: string): { readonly code: Buffer; readonly runs: number } | undefined {
  try {
    const stored = readFileNow(path);
    const code = stored.subarray(1 + DIGEST_BYTES);
    const isWhole = stored.subarray(1, 1 + DIGEST_BYTES).equals(digestOf(code));
    return isWhole ? { runs: stored.readUInt8(), code } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole, since other processes may read it. */
function keep(path: string, code: Buffer, runs: number): void {
  const draft = `${path}.${process.pid}`;
  try {
    const stored = Buffer.concat([Buffer.from([runs]), digestOf(code), code]);
    writeFileSync(draft, stored, { mode: 0o600 });
    renameSync(draft, path);
    removeOld(dirname(path));
  } catch {
    // The next run compiles again.
  }
}

const MONTH_MS = 30 * 24 * 3600 * 1000;

/** Removes code that is a month old. Code that is still used is compiled again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > MONTH_MS) rmSync(file, { force: true });
  }
}

function digestOf(bytes: Buffer, command = ""): Buffer {
  return createHash("sha256").update(bytes).update(command).digest();
}
