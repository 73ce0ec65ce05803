import type { Diagnostic } from "../../provider/diagnostics";
import type { AttributePath } from "../../provider/values";
import { evaluateNode } from "./evaluate";
import type { Evaluated } from "./evaluated";
import type { Node } from "./nodes";
import { referencesOf } from "./nodes";
import type { Reference } from "./reference";
import type { Scope } from "./scope";

/** Which block of the configuration, and where in it, an expression stands. */
export interface Where {
  readonly address: string;
  readonly constructPath?: string;
  readonly path: AttributePath;
}

/** A parsed value of the configuration. Reading it again costs nothing; it holds no state. */
export class Expression {
  constructor(
    readonly node: Node,
    readonly where: Where,
    /** The JSON that it was read from; undefined where it was not. */
    readonly json?: unknown,
  ) {}

  /** Everything that the expression refers to, in order of appearance, repetitions included. */
  references(): readonly Reference[] {
    return referencesOf(this.node);
  }

  /** Whether the value is written out: no reference, operator or call. */
  get isLiteral(): boolean {
    return isLiteral(this.node);
  }

  /**
   * The value in `scope`. Where something is wrong, the diagnostics say all of it and that part of
   * the value is `UNKNOWN`.
   */
  evaluate(scope: Scope): { value: Evaluated; diagnostics: readonly Diagnostic[] } {
    return evaluateNode(this.node, scope, this.where);
  }
}

function isLiteral(node: Node): boolean {
  if (node.kind === "literal") return true;
  if (node.kind === "tuple") return node.items.every(isLiteral);
  if (node.kind === "object") {
    return node.members.every(({ key, value }) => isLiteral(key) && isLiteral(value));
  }
  return false;
}
