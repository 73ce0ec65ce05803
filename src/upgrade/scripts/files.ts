import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { compareStrings } from "../../provider/values";
import { readSource, type Source } from "./source";
import { readYaml } from "./yaml";

/** The files at and below the paths that were named. */
export interface ScriptFiles {
  readonly sources: readonly Source[];
  readonly read: number;
  /** Files that were not read: prose, binary files, large files. */
  readonly passedOver: number;
  /** Folders that were not entered: those of version control and of installed packages. */
  readonly foldersPassedOver: number;
  /** Errors for named paths that do not exist, warnings for files that could not be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Larger files are written by programs. */
const LARGEST = 2 * 1024 * 1024;
const NOT_ENTERED = new Set(
  ".git .hg .svn node_modules .terraform __pycache__ .venv venv .tox .cache cdktf.out".split(" "),
);
/** Documentation and data, which name paths without calling them. */
const PROSE =
  /\.(?:md|markdown|rst|adoc|html?|csv|log|svg)$|^(?:licen[cs]e|readme|changelog|changes|authors|copying|notice|contributing|codeowners|version|todo|install)$/i;

/** Reads a script of any language. */
export function readScript(file: string, content: string): readonly Source[] {
  const text = content.replace(/^\uFEFF/, " ");
  const yaml = /\.ya?ml$/i.test(file) ? readYaml(file, text) : undefined;
  return yaml ?? [readSource(file, text)];
}

/** Reads all files at and below the paths, each once, in the order of their names. */
export async function readScripts(
  paths: readonly string[],
  directory: string,
): Promise<ScriptFiles> {
  const walk = new Walk(directory);
  for (const path of paths) await walk.start(path);
  const files = walk.files.sort(([a], [b]) => compareStrings(a, b));
  return {
    sources: files.flatMap(([file, text]) => readScript(file, text)),
    read: files.length,
    passedOver: walk.passedOver,
    foldersPassedOver: walk.foldersPassedOver,
    diagnostics: walk.diagnostics,
  };
}

class Walk {
  readonly files: (readonly [name: string, text: string])[] = [];
  readonly diagnostics: Diagnostic[] = [];
  passedOver = 0;
  foldersPassedOver = 0;
  /** Real paths: symbolic links may lead to the same file, or in a circle. */
  readonly #seen = new Set<string>();

  constructor(readonly directory: string) {}

  async start(path: string): Promise<void> {
    const absolute = resolve(this.directory, path);
    try {
      const found = await stat(absolute);
      if (found.isDirectory()) await this.#enter(absolute);
      else await this.#read(absolute, true);
    } catch (cause) {
      this.diagnostics.push(error("Scripts cannot be read", `${path}: ${errorText(cause)}.`));
    }
  }

  async #enter(folder: string): Promise<void> {
    if (!(await this.#isNew(folder))) return;
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => compareStrings(a.name, b.name))) {
      const path = join(folder, entry.name);
      try {
        const found = entry.isSymbolicLink() ? await stat(path) : entry;
        if (found.isFile()) await this.#read(path, false);
        else if (!found.isDirectory()) continue;
        else if (NOT_ENTERED.has(entry.name)) this.foldersPassedOver++;
        else await this.#enter(path);
      } catch (cause) {
        this.#passOver(`${this.#shown(path)} cannot be read: ${errorText(cause)}.`);
      }
    }
  }

  async #isNew(path: string): Promise<boolean> {
    const real = await realpath(path);
    if (this.#seen.has(real)) return false;
    this.#seen.add(real);
    return true;
  }

  async #read(path: string, isNamed: boolean): Promise<void> {
    if (!(await this.#isNew(path))) return;
    const file = this.#shown(path);
    if (PROSE.test(basename(path))) {
      this.#passOver(
        isNamed ? `${file} is documentation by its name: paths in it are not calls.` : undefined,
      );
      return;
    }
    const content = await readFile(path);
    // PowerShell writes UTF-16.
    const isUtf16 = content[0] === 0xff && content[1] === 0xfe;
    if (!isUtf16 && content.subarray(0, 8000).includes(0)) {
      this.#passOver();
      return;
    }
    if (content.length > LARGEST) {
      const bytes = `${content.length} bytes; files of more than ${LARGEST} are not read.`;
      this.#passOver(`${file} has ${bytes}`);
      return;
    }
    this.files.push([file, content.toString(isUtf16 ? "utf16le" : "utf8")]);
  }

  #passOver(reason?: string): void {
    this.passedOver++;
    if (reason !== undefined) this.diagnostics.push(warning("File not scanned", reason));
  }

  /** Relative to the working directory, unless the file is outside of it. */
  #shown(path: string): string {
    const below = relative(this.directory, path);
    const isOutside = below.startsWith("..") || isAbsolute(below);
    return (isOutside ? path : below).split(sep).join("/");
  }
}
