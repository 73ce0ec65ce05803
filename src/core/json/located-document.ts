import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";
import { faultOffset } from "./lossless-json";

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
  } catch {
    const before = text.slice(0, faultOffset(text));
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n");
    const isCut = before.length >= text.trimEnd().length;
    const what = isCut
      ? "ends before its JSON is complete"
      : `is not valid JSON from column ${column} on`;
    return faulty([{ message: `the file ${what}; correct it there`, line }]);
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
  const faults = document.errors.map(({ code, pos }) => ({
    message:
      code === "DUPLICATE_KEY"
        ? `the name "${/[^\s"':]+/.exec(text.slice(pos[0]))?.[0]}" is there twice; remove one of the two`
        : (MESSAGES[code] ?? "the file is not valid YAML here; correct it"),
    line: lines.linePos(pos[0]).line,
  }));
  // A text that begins with * refers to an anchor in front of it.
  const anchors = new Set<string>();
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) anchors.add(node.anchor ?? "");
      else if (!anchors.has(node.source)) {
        const name = node.source;
        const message = `"*${name}" needs quotes: without them it refers to &${name}, which is not in the file`;
        faults.push({ message, line: lines.linePos(node.range?.[0] ?? 0).line });
      }
    },
  });
  if (faults.length > 0) {
    // Others on the same line are consequences of the first one.
    return faulty(
      faults.filter(({ line }, at) => faults.findIndex((one) => one.line === line) === at),
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

const QUOTE_IT = 'a text that begins with *, &, !, %, @ or ` needs quotes, as in "*"';

/** Messages for the faults of YAML that people make, by the codes of the parser. */
const MESSAGES: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  BAD_ALIAS: QUOTE_IT,
  BAD_SCALAR_START: QUOTE_IT,
  TAG_RESOLVE_FAILED: QUOTE_IT,
  BAD_DQ_ESCAPE:
    "a text in double quotes has an unknown escape; use single quotes or a double \\\\",
  BAD_INDENT: "the indentation does not fit the lines before it, or a bracket is not closed",
  TAB_AS_INDENT: "the line is indented with a tab; use spaces",
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " or a list is on one line; put a text with ": " in quotes',
  BLOCK_IN_FLOW: "a list or an object of several lines is within brackets; close them before it",
  MISSING_CHAR:
    "a comma, a colon, a quote or a closing bracket is missing, or the indentation does not fit the lines before it",
  MULTILINE_IMPLICIT_KEY: 'a name is not followed by ": " on its line; add it',
  MULTIPLE_DOCS: "the file has several documents; remove the line ---",
  UNEXPECTED_TOKEN:
    "a character is not expected here, such as a comma or a closing bracket; remove it",
};

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
