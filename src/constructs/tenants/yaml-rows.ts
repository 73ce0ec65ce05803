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
import { failed, type RawRow, type RawRows, type Step } from "./raw-rows";

/** Reads the rows of YAML 1.2: a list of tenants, or an object with `tenants`. */
export function yamlRows(text: string): RawRows {
  return readDocument(text, { schema: "core", merge: true });
}

/** Reads the rows of JSON; duplicate members are errors, as in YAML. */
export function jsonRows(text: string): RawRows {
  try {
    JSON.parse(text);
  } catch (failure) {
    return jsonFailure(text, failure);
  }
  return readDocument(text, { schema: "json" });
}

function jsonFailure(text: string, failure: unknown): RawRows {
  const message = failure instanceof Error ? failure.message : String(failure);
  const position = /position (\d+)/.exec(message)?.[1];
  // A text that ends too early has no position.
  const before = position === undefined ? text.trimEnd() : text.slice(0, Number(position));
  return failed("the file is not valid JSON", before.split("\n").length);
}

function readDocument(
  text: string,
  options: { readonly schema: "core" | "json"; readonly merge?: boolean },
): RawRows {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...options, lineCounter: lines, prettyErrors: false });
  const { errors } = document;
  if (errors.length > 0) {
    const problems = errors.map(({ message, pos }) => ({
      message,
      line: lines.linePos(pos[0]).line,
    }));
    return { rows: [], problems };
  }
  // Every row may have the same alias: it is no attempt to fill the memory.
  const content: unknown = document.toJS({ maxAliasCount: -1 });
  const places = new Places(document, lines);
  if (Array.isArray(content)) return rowsIn(content, [], places);
  if (typeof content !== "object" || content === null) return failed(EXPECTED);
  const tenants = "tenants" in content ? content.tenants : undefined;
  const unknown = Object.keys(content)
    .filter((key) => key !== "tenants" && key !== "$schema")
    .map((key) => ({
      message: `${JSON.stringify(key)} is unknown; the members of the file are "tenants" and "$schema"`,
      line: places.lineOf([key]),
    }));
  const found = Array.isArray(tenants)
    ? rowsIn(tenants, ["tenants"], places)
    : failed(EXPECTED, tenants === undefined ? undefined : places.lineOf(["tenants"]));
  return { rows: found.rows, problems: [...unknown, ...found.problems] };
}

const EXPECTED = 'the file must be a list of tenants, or an object with the list "tenants"';

function rowsIn(values: readonly unknown[], at: readonly Step[], places: Places): RawRows {
  const rows = values.map((value, index): RawRow => {
    const path = [...at, index];
    return {
      value,
      line: places.lineOf(path),
      lineOf: (inner) => places.lineOf([...path, ...inner]),
    };
  });
  return { rows, problems: [] };
}

/** The lines of the values of a document. */
class Places {
  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  /** Returns the line of the member's key, or of the entry of a list; else that of the nearest one around it. */
  lineOf(path: readonly Step[]): number {
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
