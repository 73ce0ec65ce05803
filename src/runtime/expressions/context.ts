import type { AttributePath, Unknown } from "../../provider/values";
import type { Evaluated } from "./evaluated";
import type { Node } from "./nodes";
import type { Scope } from "./scope";

/** The surroundings in which a node is evaluated. */
export interface Context {
  readonly scope: Scope;
  /** Variables of the enclosing `for` expressions and splats. */
  readonly symbols: ReadonlyMap<string, Evaluated>;
  /** Evaluates an inner node, with further symbols if given. */
  evaluate(node: Node, symbols?: ReadonlyMap<string, Evaluated>): Evaluated;
  /** Evaluates a node without reporting its errors. */
  attempt(node: Node): { value: Evaluated; failed: boolean };
  /** Reports an error that `try` and `can` do not catch, as one that needs no value to be found. */
  refuse(summary: string, detail: string): Unknown;
  /** Reports an error and gives `UNKNOWN` in its place. A message never contains a value. */
  report(summary: string, detail: string, path?: AttributePath): Unknown;
}
