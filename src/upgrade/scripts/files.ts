import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { compareStrings } from "../../provider/values";
import { readSource, countUpTo, linesOf, sourceOf, type Source } from "./source";
import { HOLE } from "./paths";

/** The files at and below the paths that were named. */
interface ScriptFiles {
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

/** Titles and messages, which name paths without calling them. */
const TITLE = /^(?:name|title|description|summary|msg|message|help)$/;

/** Larger files are written by programs, and take the parser seconds. */
const LARGEST_YAML = 300_000;

/**
 * Reads YAML as the flow form of its data: what belongs to a path is then in the same brackets.
 * Scripts of several lines are separate texts. Undefined for text that does not parse.
 */
function readYaml(file: string, text: string): readonly Source[] | undefined {
  if (text.length > LARGEST_YAML || /(?:[[{]\s*){100}/.test(text)) return undefined;
  const counter = new LineCounter();
  try {
    const documents = parseAllDocuments(text, {
      lineCounter: counter,
      logLevel: "silent",
      prettyErrors: false,
      uniqueKeys: false,
    });
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0))
      return undefined;
    const flow = new Flow(file, text, counter);
    for (const { contents } of documents) flow.document(contents);
    return flow.sources();
  } catch (cause) {
    // Data that are nested deeper than the parser's stack.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

const WORD = new RegExp(`^[^\\s"'${HOLE}]*`);

class Flow {
  #text = "";
  readonly #starts: number[] = [];
  readonly #nodes: (readonly [number, number])[] = [];
  readonly #scripts: Source[] = [];

  constructor(
    readonly file: string,
    readonly source: string,
    readonly counter: LineCounter,
  ) {}

  document(node: unknown): void {
    this.#node(node);
    this.#text += "\n";
  }

  sources(): readonly Source[] {
    const text = this.#text;
    const lineAt = (offset: number) => {
      const index = countUpTo(this.#starts, offset) - 1;
      return this.#lineOf(this.#nodes[index] ?? [0, 0], text.slice(offset, offset + 40));
    };
    return [sourceOf(this.file, text, text, lineAt), ...this.#scripts];
  }

  #node(node: unknown): void {
    if (isMap(node)) {
      this.#text += "{";
      for (const { key, value } of node.items) {
        if (isMap(value) || isSeq(value)) this.#text += "\n";
        const name = isScalar(key) ? String(key.value) : "";
        this.#scalar(key);
        this.#text += ": ";
        if (!TITLE.test(name) || !isScalar(value)) this.#node(value);
        this.#text += ", ";
      }
      this.#text += "}";
    } else if (isSeq(node)) {
      this.#text += "[";
      for (const item of node.items) {
        if (isMap(item) || isSeq(item)) this.#text += "\n";
        this.#node(item);
        this.#text += ", ";
      }
      this.#text += "]";
    } else {
      this.#scalar(node);
    }
  }

  #scalar(node: unknown): void {
    if (!isScalar(node) || !node.range) return;
    const value = typeof node.value === "string" ? node.value : (node.source ?? "");
    const range = [node.range[0], node.range[1]] as const;
    if (value.trimEnd().includes("\n")) {
      const [first] = range;
      const start = this.counter.linePos(first).line;
      const ownLineAt = linesOf(value);
      const lineAt = (offset: number) =>
        node.type === "BLOCK_LITERAL"
          ? start + ownLineAt(offset)
          : this.#lineOf(range, value.slice(offset, offset + 40));
      this.#scripts.push(readSource(this.file, value, lineAt));
      return;
    }
    this.#starts.push(this.#text.length);
    this.#nodes.push(range);
    this.#text += `"${value.trimEnd().replaceAll('"', "'").replaceAll("\\", " ")}"`;
  }

  /** The line of a text within a node. */
  #lineOf([start, end]: readonly [number, number], text: string): number {
    const [word = ""] = WORD.exec(text) ?? [];
    const found = this.source.slice(start, end).indexOf(word);
    return this.counter.linePos(start + Math.max(0, found)).line;
  }
}
