import { createHash } from "node:crypto";
import { formatJson, struct, type JsonTree } from "../../core/json/format-json";
import { parseJson, stringifyJson } from "../../core/json/lossless-json";
import { mapMembers, memberOf } from "../../core/member-of";

/*
 * In a record, what is repeated is written once, in a line of the type `content`, and named by its
 * digest: thousands of tenants have the same policies, and objects that differ in a few members.
 */

/** The member of an object that names a content. They are short: a record has thousands of them. */
const NAME = "@content";
/** Earlier versions have written whole digests, in objects without other members. */
const EARLIER_NAME = "cdktf_console_content";
/** Next to a name: the members that differ from the content, which has null in their places. */
const OWN = "@own";
/** The only member of an object in the place of the base64 of its JSON, such as private states. */
const BASE64 = "@base64";

/** Shorter values are written where they are. */
const LEAST_LENGTH = 200;
/** A shorter common part of objects of one kind is written where it is. */
const LEAST_COMMON_LENGTH = 100;

/** A value that is written once. */
export interface RepeatedContent {
  /** The digest of its JSON, in hex. */
  readonly sha256: string;
  readonly value: JsonTree;
}

/** The values that objects of one kind had last, by path, and the paths at which they have differed. */
interface Known {
  /** The first stack that had one: its lines stay as they are, so that a record of one can be read. */
  readonly stack: string;
  readonly last: Map<string, string>;
  readonly differing: Set<string>;
}

/** Replaces repeated values of the lines of one file. */
export class ContentWriter {
  private readonly written = new Set<string>();
  private readonly known = new Map<string, Known>();

  /**
   * Returns the line with names, and the contents that have to be in the file before it.
   *
   * @param kind - lines of one kind are alike in most of their members
   */
  name(
    line: JsonTree,
    kind: string,
    stack: string,
  ): { readonly line: JsonTree; readonly contents: readonly RepeatedContent[] } {
    const contents: RepeatedContent[] = [];
    const named = this.replace(line, contents);
    const known = this.known.get(kind) ?? { stack, last: new Map(), differing: new Set() };
    this.known.set(kind, known);
    const { common, own } = divide(named, "", known);
    const isShort = formatJson(common).length < LEAST_COMMON_LENGTH;
    if (known.stack === stack || isShort) return { line: named, contents };
    if (!own) return { line: this.toName(line, contents), contents };
    return { line: { ...this.toName(common, contents), [OWN]: own }, contents };
  }

  private replace(node: JsonTree, contents: RepeatedContent[]): JsonTree {
    if (typeof node === "string") {
      const inBase64 = jsonInBase64(node);
      if (inBase64) return { [BASE64]: this.replace(inBase64, contents) };
      return node.length < LEAST_LENGTH ? node : this.toName(node, contents);
    }
    if (isList(node)) {
      const isLong = formatJson(node).length >= LEAST_LENGTH;
      return isLong
        ? this.toName(node, contents)
        : node.map((item) => this.replace(item, contents));
    }
    const members = membersOf(node);
    if (!members) return node;
    // A value that looks like a name must not be taken for one.
    if (members.some(([key]) => RESERVED.has(key))) return this.toName(node, contents);
    return struct(members.map(([key, member]) => [key, this.replace(member, contents)]));
  }

  private toName(value: JsonTree, contents: RepeatedContent[]) {
    const sha256 = createHash("sha256").update(formatJson(value)).digest("hex");
    if (!this.written.has(sha256)) contents.push({ sha256, value });
    this.written.add(sha256);
    return { [NAME]: nameOf(sha256) };
  }
}

const RESERVED = new Set([NAME, EARLIER_NAME, OWN, BASE64]);

/** Half of a digest: nobody can find two contents with one name. */
function nameOf(digest: string): string {
  return digest.slice(0, 32);
}

/** Divides an object into what all of its kind have in common, and its own members. */
function divide(
  node: JsonTree,
  path: string,
  known: Known,
): { readonly common: JsonTree; readonly own: JsonTree | undefined } {
  const members = membersOf(node);
  if (members && members.length > 0) {
    const parts = members.map(
      ([key, member]) => [key, divide(member, `${path}/${JSON.stringify(key)}`, known)] as const,
    );
    const own = struct(parts.map(([key, part]) => [key, part.own]));
    return {
      common: struct(parts.map(([key, part]) => [key, part.common])),
      own: own.size > 0 ? own : undefined,
    };
  }
  const text = formatJson(node);
  if ((known.last.get(path) ?? text) !== text) known.differing.add(path);
  known.last.set(path, text);
  return known.differing.has(path) ? { common: null, own: node } : { common: node, own: undefined };
}

/** Undefined unless the text is the base64 of the JSON of an object, byte by byte. */
function jsonInBase64(text: string): JsonTree | undefined {
  if (!text.startsWith("eyJ")) return undefined;
  try {
    const bytes = Buffer.from(text, "base64");
    const json = parseJson(bytes.toString("utf8"));
    if (!isMembers(json)) return undefined;
    const tree = struct(Object.entries(json));
    return inBase64(parseJson(formatJson(tree))) === text ? tree : undefined;
  } catch {
    return undefined;
  }
}

function inBase64(json: unknown): string {
  return Buffer.from(stringifyJson(json)).toString("base64");
}

/** Puts contents in the place of their names. Throws if one is missing. */
export class ContentReader {
  private readonly known = new Map<string, unknown>();

  add({ sha256, value }: { readonly sha256: string; readonly value: unknown }): void {
    this.known.set(nameOf(sha256), value);
  }

  /** @param node - parsed JSON */
  expand(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.expand(item));
    if (!isMembers(node)) return node;
    const { [NAME]: name, [EARLIER_NAME]: earlier = name, [OWN]: own, [BASE64]: json } = node;
    const isShort = Object.keys(node).every((key) => RESERVED.has(key));
    if (isShort && typeof earlier === "string" && /^[0-9a-f]{32,64}$/.test(earlier)) {
      const content = this.named(earlier);
      return own === undefined ? content : this.expand(filled(content, own));
    }
    if (isShort && isMembers(json)) return inBase64(this.expand(json));
    return mapMembers(node, (member) => this.expand(member));
  }

  private named(name: string): unknown {
    const content = this.known.get(nameOf(name));
    if (content === undefined) throw new MissingContentError(name);
    return content;
  }
}

/** A line names a content that no line before it has. */
export class MissingContentError extends Error {
  override readonly name = "MissingContentError";

  constructor(digest: string) {
    super(`the content ${digest} is not in the lines before it.`);
  }
}

/** Puts the own members of an object into what it has in common with others. */
function filled(common: unknown, own: unknown): unknown {
  if (!isMembers(common) || !isMembers(own)) return own;
  return mapMembers(common, (member, key) =>
    Object.hasOwn(own, key) ? filled(member, memberOf(own, key)) : member,
  );
}

/** The members of an object, in their order; undefined for other values. */
function membersOf(node: JsonTree): readonly (readonly [string, JsonTree])[] | undefined {
  if (node instanceof Map) return [...(node as ReadonlyMap<string, JsonTree>)];
  return isMembers(node) ? Object.entries(node) : undefined;
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
