import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from "yaml";
import { HOLE } from "./paths";
import { countUpTo, linesOf, readSource, sourceOf, type Source } from "./source";

/** Titles and messages, which name paths without calling them. */
const TITLE = /^(?:name|title|description|summary|msg|message|help)$/;

/** Larger files are written by programs, and take the parser seconds. */
const LARGEST = 300_000;

/**
 * Reads YAML as the flow form of its data: what belongs to a path is then in the same brackets.
 * Scripts of several lines are separate texts. Undefined for text that does not parse.
 */
export function readYaml(file: string, text: string): readonly Source[] | undefined {
  if (text.length > LARGEST || /(?:[[{]\s*){100}/.test(text)) return undefined;
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
