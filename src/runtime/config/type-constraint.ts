import type { Value } from "../../provider/values";
import { convert } from "../expressions/convert";
import { unmark } from "../expressions/evaluated";
import type { Where } from "../expressions/expression";
import { nestingProblem } from "../expressions/nesting";
import { childrenOf, type Node } from "../expressions/nodes";
import { parseHcl } from "../expressions/parse";
import { EMPTY_SCOPE } from "../expressions/scope";
import type { AttributeType, Type } from "../expressions/types";

type Parsed =
  | { readonly type: Type }
  /** `summary`: default "Invalid type specification". */
  | { readonly problem: string; readonly summary?: string };

/** A syntax error in a type constraint; `parseTypeConstraint` catches it. */
class Fault extends Error {
  constructor(
    message: string,
    readonly summary?: string,
  ) {
    super(message);
  }
}

/** Parses a type constraint: `string`, `list(object({a=optional(string, "x")}))`. */
export async function parseTypeConstraint(text: string): Promise<Parsed> {
  const tooDeep = nestingProblem(text, "code");
  if (tooDeep) return { problem: tooDeep.detail };
  const reader = new ConstraintReader(text);
  try {
    const type = await reader.readType();
    reader.expectEnd();
    return { type };
  } catch (fault) {
    if (fault instanceof Fault) {
      const { message: problem, summary } = fault;
      return { problem, ...(summary !== undefined && { summary }) };
    }
    throw fault;
  }
}

class ConstraintReader {
  private position = 0;

  constructor(private readonly source: string) {}

  async readType(): Promise<Type> {
    const word = this.take(/[a-z]+/y);
    switch (word) {
      case "string":
      case "number":
      case "bool":
      case "any":
        return { kind: word };
      case "list":
      case "set":
      case "map": {
        if (!this.peek("(")) return { kind: word, element: { kind: "any" } };
        return { kind: word, element: await this.inParentheses(() => this.readType()) };
      }
      case "tuple":
        return this.inParentheses(async () => ({
          kind: "tuple",
          elements: await this.readItems("[", "]", () => this.readType()),
        }));
      case "object":
        return this.inParentheses(async () => ({
          kind: "object",
          attributes: withoutRepetition(await this.readItems("{", "}", () => this.readAttribute())),
        }));
      case "optional":
        throw new Fault("The modifier optional() is valid for attributes of an object type only.");
      default:
        throw new Fault(
          `"${word ?? this.source.slice(this.position, this.position + 10)}" is not a type. A type is one of string, number, bool, any, or list, set, map, object, tuple with their arguments.`,
        );
    }
  }

  expectEnd(): void {
    this.skipBlanks();
    if (this.position < this.source.length) {
      throw new Fault(`There is unexpected text after the type "${this.source}".`);
    }
  }

  private async readAttribute(): Promise<[string, AttributeType]> {
    const name = this.take(/[\p{ID_Start}_][\p{ID_Continue}-]*|"[^"]*"/uy);
    if (name === undefined) throw new Fault("The name of an attribute is missing.");
    if (!this.accept("=")) this.expect(":");
    return [name.replaceAll('"', ""), await this.readAttributeType()];
  }

  private async readAttributeType(): Promise<AttributeType> {
    const start = this.position;
    if (this.take(/optional(?=\s*\()/y) === undefined) {
      this.position = start;
      return { type: await this.readType() };
    }
    return this.inParentheses(async () => {
      const type = await this.readType();
      if (!this.accept(",")) return { type, optional: true };
      return { type, optional: true, default: await this.readDefault(type) };
    });
  }

  private async readDefault(type: Type): Promise<Value> {
    const source = this.takeBalanced();
    const where: Where = { address: "type", path: [] };
    const { expression, diagnostics } = await parseHcl(source, where);
    if (hasCall(expression.node)) {
      throw new Fault("Functions may not be called here.", "Function calls not allowed");
    }
    const evaluated = expression.evaluate(EMPTY_SCOPE);
    const converted = convert(evaluated.value, type);
    const [problem] = [
      ...[...diagnostics, ...evaluated.diagnostics].map(({ detail }) => detail),
      ...converted.problems.map(({ message }) => message),
    ];
    if (problem !== undefined) throw new Fault(`The default of an optional attribute: ${problem}`);
    return unmark(converted.value).value;
  }

  /** Takes the text up to the closing parenthesis. */
  private takeBalanced(): string {
    const start = this.position;
    let depth = 0;
    while (this.position < this.source.length) {
      const string = this.take(/"(?:[^"\\]|\\.)*"/y);
      if (string !== undefined) continue;
      const character = this.source.charAt(this.position);
      if ("([{".includes(character)) depth += 1;
      if (")]}".includes(character)) {
        if (depth === 0) break;
        depth -= 1;
      }
      this.position += 1;
    }
    return this.source.slice(start, this.position).trim();
  }

  private async inParentheses<T>(read: () => Promise<T>): Promise<T> {
    this.expect("(");
    const result = await read();
    this.expect(")");
    return result;
  }

  /** Reads items between brackets, separated by commas or line breaks. */
  private async readItems<T>(
    open: string,
    close: string,
    read: () => Promise<T>,
  ): Promise<readonly T[]> {
    this.expect(open);
    const items: T[] = [];
    while (!this.accept(close)) {
      items.push(await read());
      const start = this.position;
      if (this.accept(",") || this.peek(close)) continue;
      // Attributes of an object may be on separate lines instead.
      const between = this.source.slice(start, this.position);
      if (close !== "}" || !between.includes("\n")) {
        throw new Fault(`The type "${this.source}" lacks a "," at position ${start + 1}.`);
      }
    }
    return items;
  }

  private expect(text: string): void {
    if (this.accept(text)) return;
    throw new Fault(
      `The type "${this.source}" lacks a "${text}" at position ${this.position + 1}.`,
    );
  }

  private accept(text: string): boolean {
    if (!this.peek(text)) return false;
    this.position += text.length;
    return true;
  }

  private peek(text: string): boolean {
    this.skipBlanks();
    return this.source.startsWith(text, this.position);
  }

  private take(pattern: RegExp): string | undefined {
    this.skipBlanks();
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.source)?.[0];
    this.position += found?.length ?? 0;
    return found;
  }

  private skipBlanks(): void {
    while (/\s/.test(this.source.charAt(this.position))) this.position += 1;
  }
}

function withoutRepetition(
  attributes: readonly (readonly [string, AttributeType])[],
): Readonly<Record<string, AttributeType>> {
  const names = attributes.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined) return Object.fromEntries(attributes);
  throw new Fault(`The object type has two attributes named ${JSON.stringify(repeated)}.`);
}

function hasCall(node: Node): boolean {
  return node.kind === "call" || childrenOf(node).some(hasCall);
}
