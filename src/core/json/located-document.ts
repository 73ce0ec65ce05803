import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
} from "yaml";

/** A problem of a file. Without a line it is one of the whole file. */
export interface LocatedProblem {
  readonly line?: number | undefined;
  readonly message: string;
}

/** A document that people write, with the lines of its values. */
export interface LocatedDocument {
  /** Undefined if there are problems. */
  readonly content: unknown;
  readonly problems: readonly LocatedProblem[];
  /**
   * Returns the line of the member's key, or of the entry of a list; else that of the nearest one
   * around it. Lines count from 1.
   */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** @param maxAliases -1: any number; default: few, so that a small file cannot fill the memory */
export function locateYaml(text: string, maxAliases = 100): LocatedDocument {
  return locate(text, { schema: "core", merge: true }, maxAliases);
}

/** Duplicate members are errors, as in YAML. */
export function locateJson(text: string): LocatedDocument {
  try {
    JSON.parse(text);
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    const position = /position (\d+)/.exec(message)?.[1];
    // A text that ends too early has no position.
    const before = position === undefined ? text.trimEnd() : text.slice(0, Number(position));
    const line = before.split("\n").length;
    return faulty([{ message: "the file is not valid JSON", line }]);
  }
  return locate(text, { schema: "json" }, -1);
}

function locate(
  text: string,
  options: { readonly schema: "core" | "json"; readonly merge?: boolean },
  maxAliasCount: number,
): LocatedDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines, prettyErrors: false });
  const { errors } = document;
  if (errors.length > 0) {
    return faulty(
      errors.map(({ message, pos }) => ({ message, line: lines.linePos(pos[0]).line })),
    );
  }
  const places = new Places(document, lines);
  try {
    const content: unknown = document.toJS({ maxAliasCount });
    return { content, problems: [], lineOf: (path) => places.lineOf(path) };
  } catch (failure) {
    return faulty([{ message: failure instanceof Error ? failure.message : String(failure) }]);
  }
}

function faulty(problems: readonly LocatedProblem[]): LocatedDocument {
  return { content: undefined, problems, lineOf: () => 1 };
}

/** The lines of the values of a document. */
class Places {
  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  lineOf(path: readonly (string | number)[]): number {
    let node: unknown = this.document.contents;
    let line = this.lineAt(node);
    for (const step of path) {
      const held: unknown = isAlias(node) ? node.resolve(this.document) : node;
      let place: unknown;
      if (isSeq(held)) {
        node = held.items[Number(step)];
        place = node;
      } else if (isMap(held)) {
        const pair = held.items.find(
          ({ key }) => isScalar(key) && String(key.value) === String(step),
        );
        node = pair?.value;
        place = pair?.key;
      }
      if (!isNode(place)) return line;
      line = this.lineAt(place);
    }
    return line;
  }

  private lineAt(node: unknown): number {
    const start = (node as Partial<Node> | null | undefined)?.range?.[0];
    return start === undefined ? 1 : this.lines.linePos(start).line;
  }
}
