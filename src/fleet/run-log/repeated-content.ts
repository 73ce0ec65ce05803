import { createHash } from "node:crypto";
import { formatJson, type JsonTree } from "../../core/json/format-json";

/*
 * In a record, what is long is written once, in a line of the type `content`, and named by its digest
 * wherever it is repeated: thousands of tenants have the same policies.
 */

/** The only member of an object that names a content. */
const NAME = "cdktf_console_content";

/** Shorter values are written where they are. */
const LEAST_LENGTH = 200;

/** A value that is written once. */
export interface RepeatedContent {
  /** The digest of its JSON, in hex. */
  readonly sha256: string;
  readonly value: JsonTree;
}

/** Replaces long values of the lines of one file. */
export class ContentWriter {
  private readonly written = new Set<string>();

  /** Returns the line with names, and the contents that have to be in the file before it. */
  name(line: JsonTree): { readonly line: JsonTree; readonly contents: readonly RepeatedContent[] } {
    const contents: RepeatedContent[] = [];
    const named = this.replace(line, contents);
    return { line: named, contents };
  }

  private replace(node: JsonTree, contents: RepeatedContent[]): JsonTree {
    if (typeof node === "string")
      return node.length < LEAST_LENGTH ? node : this.toName(node, contents);
    if (isList(node)) {
      const isLong = formatJson(node).length >= LEAST_LENGTH;
      return isLong
        ? this.toName(node, contents)
        : node.map((item) => this.replace(item, contents));
    }
    if (node instanceof Map) {
      const members = [...(node as ReadonlyMap<string, JsonTree>)];
      return new Map(members.map(([key, member]) => [key, this.replace(member, contents)]));
    }
    if (!isMembers(node)) return node;
    // A value that looks like a name must not be taken for one.
    if (nameIn(node) !== undefined) return this.toName(node, contents);
    return Object.fromEntries(
      Object.entries(node).map(([key, member]) => [key, this.replace(member, contents)]),
    );
  }

  private toName(value: JsonTree, contents: RepeatedContent[]): JsonTree {
    const sha256 = createHash("sha256").update(formatJson(value)).digest("hex");
    if (!this.written.has(sha256)) contents.push({ sha256, value });
    this.written.add(sha256);
    return { [NAME]: sha256 };
  }
}

/** Puts contents in the place of their names. Throws if one is missing. */
export class ContentReader {
  private readonly known = new Map<string, unknown>();

  add({ sha256, value }: { readonly sha256: string; readonly value: unknown }): void {
    this.known.set(sha256, value);
  }

  /** @param node - parsed JSON */
  expand(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.expand(item));
    if (!isMembers(node)) return node;
    const name = nameIn(node);
    if (name === undefined) {
      return Object.fromEntries(
        Object.entries(node).map(([key, member]) => [key, this.expand(member)]),
      );
    }
    if (!this.known.has(name)) throw new MissingContentError(name);
    return this.known.get(name);
  }
}

/** A line names a content that no line before it has. */
export class MissingContentError extends Error {
  override readonly name = "MissingContentError";

  constructor(digest: string) {
    super(`the content ${digest} is not in the lines before it.`);
  }
}

/** Undefined unless the value has the form of a name. */
function nameIn(node: object): string | undefined {
  const [member, ...others] = Object.entries(node);
  if (!member || others.length > 0 || member[0] !== NAME) return undefined;
  return typeof member[1] === "string" && /^[0-9a-f]{64}$/.test(member[1]) ? member[1] : undefined;
}

/** An object of JSON; numbers can be objects of another class. */
function isMembers(node: unknown): node is { readonly [key: string]: JsonTree } {
  if (typeof node !== "object" || node === null) return false;
  const prototype: unknown = Object.getPrototypeOf(node);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isList(node: JsonTree): node is readonly JsonTree[] {
  return Array.isArray(node);
}
