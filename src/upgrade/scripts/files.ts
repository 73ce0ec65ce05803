import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { compareStrings } from "../../provider/values";
import { languageOf } from "./language";
import { readScript, type Reading } from "./reading";

/** What became of the paths that were named. */
export interface ScriptFiles {
  readonly readings: readonly Reading[];
  /** How many files are no scripts, by their name or their content. */
  readonly passedOver: number;
  /** Errors for what was named and is not there, warnings for what could not be read below it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Larger files are written by programs. */
const LARGEST = 2 * 1024 * 1024;
const NOT_ENTERED = new Set(
  ".git .hg .svn node_modules .terraform __pycache__ .venv venv .tox .cache cdktf.out".split(" "),
);
const PROSE = /\.(?:md|markdown|rst|adoc|txt|html?|pdf|docx?|csv|log|svg)$/i;
const PROSE_NAMES =
  /^(?:licen[cs]e|readme|changelog|changes|authors|copying|notice|contributing|codeowners|version|todo|install)$/i;

/** Reads all scripts at and below the paths, each file once, in the order of their names. */
export async function readScripts(
  paths: readonly string[],
  directory: string,
): Promise<ScriptFiles> {
  const walk = new Walk(directory);
  for (const path of paths) await walk.start(path);
  const readings = walk.readings.sort((a, b) => compareStrings(a.file, b.file));
  return { readings, passedOver: walk.passedOver, diagnostics: walk.diagnostics };
}

class Walk {
  readonly readings: Reading[] = [];
  readonly diagnostics: Diagnostic[] = [];
  passedOver = 0;
  /** Real paths: symbolic links may lead to the same file, or around in a circle. */
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
      if (NOT_ENTERED.has(entry.name)) continue;
      const path = join(folder, entry.name);
      try {
        const found = entry.isSymbolicLink() ? await stat(path) : entry;
        if (found.isDirectory()) await this.#enter(path);
        else if (found.isFile()) await this.#read(path, false);
      } catch (cause) {
        this.diagnostics.push(
          warning("Not looked at", `${this.#shown(path)} cannot be read: ${errorText(cause)}.`),
        );
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
    const name = basename(path);
    if (PROSE.test(name) || PROSE_NAMES.test(name)) {
      this.passedOver++;
      if (isNamed) {
        const detail = `${this.#shown(path)} is taken for prose: what it mentions is no call.`;
        this.diagnostics.push(warning("Not looked at", detail));
      }
      return;
    }
    const mayBeScript = isNamed || !name.includes(".") || languageOf(name, "#!sh") !== undefined;
    if (!mayBeScript || !(await this.#isNew(path))) {
      this.passedOver++;
      return;
    }
    const { size } = await stat(path);
    const isLarge = size > LARGEST;
    // One that only its first line might tell to be a script: an archive, a program.
    if (isLarge && !isNamed && name.includes(".") && languageOf(name, "") === undefined) {
      this.passedOver++;
      return;
    }
    if (isLarge) {
      const detail = `${this.#shown(path)} has ${size} bytes; files of more than ${LARGEST} are not read.`;
      this.diagnostics.push(warning("Not looked at", detail));
      return;
    }
    const content = await readFile(path);
    if (content.subarray(0, 8000).includes(0)) {
      this.passedOver++;
      return;
    }
    const text = content.toString("utf8");
    const [firstLine = ""] = text.split("\n", 1);
    const known = languageOf(name, firstLine);
    if (known === undefined && !isNamed && name.includes(".")) {
      this.passedOver++;
      return;
    }
    this.readings.push(readScript(this.#shown(path), text, known ?? "shell"));
  }

  /** Relative to where the command runs, unless it is outside of that. */
  #shown(path: string): string {
    const below = relative(this.directory, path);
    const isOutside = below.startsWith("..") || isAbsolute(below);
    return (isOutside ? path : below).split(sep).join("/");
  }
}
