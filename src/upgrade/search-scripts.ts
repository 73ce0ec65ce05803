import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { readFile } from "../core/io/read-file";
import { error, warning, type Diagnostic } from "../core/diagnostics";
import { fileFault } from "../core/io/file-fault";
import { errorText } from "../core/io/file-problem";
import { compareStrings } from "../core/values";
import type { UpgradeFinding, MentionPlace } from "./finding";
import type { Pattern } from "./patterns";

/** The mentions in the named files and in the files below the named folders. */
export interface ScriptSearch {
  readonly findings: readonly UpgradeFinding<MentionPlace>[];
  readonly read: number;
  /** The number of binary, large or unreadable files that were skipped. */
  readonly passedOver: number;
  /** The number of skipped folders, of version control and of installed packages. */
  readonly foldersPassedOver: number;
  /** Errors for named paths that do not exist, warnings for files that could not be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The size limit of a file. Programs write larger ones. */
const LARGEST_BYTES = 2 * 1024 * 1024;
const SKIPPED_FOLDERS = new Set(
  ".git .hg .svn node_modules .terraform __pycache__ .venv venv .tox .cache cdktf.out".split(" "),
);

/** Searches all text files at and below the paths, each once, in the order of their names. */
export async function searchScripts(
  paths: readonly string[],
  directory: string,
  patterns: readonly Pattern[],
): Promise<ScriptSearch> {
  const walk = new Walk(directory);
  for (const path of paths) await walk.start(path);
  const files = walk.files.sort(([a], [b]) => compareStrings(a, b));
  return {
    findings: files.flatMap(([file, text]) => mentionsIn(file, text, patterns)),
    read: files.length,
    passedOver: walk.passedOver,
    foldersPassedOver: walk.foldersPassedOver,
    diagnostics: walk.diagnostics,
  };
}

/** Finds the patterns in a text, line by line. */
export function mentionsIn(
  file: string,
  text: string,
  patterns: readonly Pattern[],
): readonly UpgradeFinding<MentionPlace>[] {
  const searched = patterns
    .map((pattern) => ({ pattern, expression: new RegExp(pattern.expression, "g") }))
    .filter(({ expression }) => new RegExp(expression.source, "m").test(text));
  if (searched.length === 0) return [];
  return text.split(/\r?\n/).flatMap((line, index) =>
    searched.flatMap(({ pattern, expression }) =>
      [...line.matchAll(expression)].map(([, found = ""]): UpgradeFinding<MentionPlace> => {
        const { section, message, replacement } = pattern;
        return {
          severity: "mentioned",
          section,
          message,
          ...(replacement !== undefined && { replacement }),
          place: { kind: "mention", file, line: index + 1, text: found },
        };
      }),
    ),
  );
}

class Walk {
  readonly files: (readonly [name: string, text: string])[] = [];
  readonly diagnostics: Diagnostic[] = [];
  passedOver = 0;
  foldersPassedOver = 0;
  /** The real paths, because symbolic links may lead to the same file, or in a circle. */
  readonly #seen = new Set<string>();

  constructor(readonly directory: string) {}

  async start(path: string): Promise<void> {
    const absolute = resolve(this.directory, path);
    try {
      const found = await stat(absolute);
      await (found.isDirectory() ? this.#enter(absolute) : this.#read(absolute));
    } catch (cause) {
      this.diagnostics.push(
        error("Scripts cannot be read", `${path}: ${fileFault(cause, absolute)}`),
      );
    }
  }

  async #enter(folder: string): Promise<void> {
    if (!(await this.#isNew(folder))) return;
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      try {
        const found = entry.isSymbolicLink() ? await stat(path) : entry;
        if (found.isFile()) await this.#read(path);
        else if (!found.isDirectory()) continue;
        else if (SKIPPED_FOLDERS.has(entry.name)) this.foldersPassedOver++;
        else await this.#enter(path);
      } catch (cause) {
        this.#passOver(`${this.#shownPath(path)} cannot be read: ${errorText(cause)}.`);
      }
    }
  }

  async #isNew(path: string): Promise<boolean> {
    const real = await realpath(path);
    if (this.#seen.has(real)) return false;
    this.#seen.add(real);
    return true;
  }

  async #read(path: string): Promise<void> {
    if (!(await this.#isNew(path))) return;
    const content = await readFile(path);
    // PowerShell writes UTF-16.
    const isUtf16 = content[0] === 0xff && content[1] === 0xfe;
    if (!isUtf16 && content.subarray(0, 8000).includes(0)) {
      this.#passOver();
    } else if (content.length > LARGEST_BYTES) {
      const bytes = `${content.length} bytes; files of more than ${LARGEST_BYTES} are not read.`;
      this.#passOver(`${this.#shownPath(path)} has ${bytes}`);
    } else {
      this.files.push([this.#shownPath(path), content.toString(isUtf16 ? "utf16le" : "utf8")]);
    }
  }

  #passOver(reason?: string): void {
    this.passedOver++;
    if (reason !== undefined) this.diagnostics.push(warning("File not searched", reason));
  }

  /** Relative to the working directory, unless the file is outside of it. */
  #shownPath(path: string): string {
    const below = relative(this.directory, path);
    const isOutside = below.startsWith("..") || isAbsolute(below);
    return (isOutside ? path : below).split(sep).join("/");
  }
}
