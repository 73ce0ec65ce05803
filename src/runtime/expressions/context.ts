import type { AttributePath, Unknown } from "../../provider/values";
import type { Evaluated } from "./evaluated";
import type { Node } from "./nodes";
import type { Scope } from "./scope";

/** What the evaluation of a node has at hand. */
export interface Context {
  readonly scope: Scope;
  /** The variables of the `for`s and splats around. */
  readonly symbols: ReadonlyMap<string, Evaluated>;
  /** Evaluates a node within, with further symbols if need be. */
  evaluate(node: Node, symbols?: ReadonlyMap<string, Evaluated>): Evaluated;
  /** Evaluates a node and keeps what is wrong with it to itself. */
  attempt(node: Node): { value: Evaluated; failed: boolean };
  /** Says what is wrong; the value is then `UNKNOWN`. Messages never carry a value. */
  report(summary: string, detail: string, path?: AttributePath): Unknown;
}
