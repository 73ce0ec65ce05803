import type { Diagnostic } from "../../core/diagnostics";
import { type Printed } from "../../core/printed";
import type { Functions } from "../../core/operations/function-operations";
import type { AttributePath, Evaluated, Unknown } from "../../core/values";
import type { Reference, Subject } from "./reference";
import type { Node } from "./nodes";

/** An error of a reference that needs no value to be found. */
export interface ReferenceProblem {
  readonly summary: string;
  readonly detail: string | Printed;
}

/**
 * The values that an expression may refer to. The engine provides them.
 *
 * A lookup gives `undefined` if the name is not declared. It gives `UNKNOWN` for a value that is not
 * known yet, and for one whose error was already reported.
 */
export interface EvaluationScope {
  /**
   * Returns all instances: one object; with `count` a list of objects; with `for_each` an object of
   * objects by key.
   */
  resource(mode: "managed" | "data", type: string, name: string): Evaluated | undefined;
  /** Like `resource`; absent in blocks that cannot refer to ephemeral resources. */
  ephemeral?(type: string, name: string): Evaluated | undefined;
  variable(name: string): Evaluated | undefined;
  local(name: string): Evaluated | undefined;
  /**
   * cdktf starts Terraform in the folder of the stack: `module` and `root` are ".", `cwd` is that
   * folder, and functions resolve relative paths against it.
   */
  readonly path: { readonly module: string; readonly root: string; readonly cwd: string };
  readonly workspace: string;
  /** Returns the functions of a provider by its local name; undefined if it is not required. */
  functions?(provider: string): Functions | undefined;
  /** True during an apply, when `timestamp` and `uuid` have results. */
  readonly applying?: boolean;
  /** The time of the plan, also while it is applied; absent during validation. */
  readonly plannedAt?: Date | undefined;
  /** In a block with `for_each`. */
  readonly each?: { readonly key: Evaluated; readonly value: Evaluated };
  /** In a block with `count`. */
  readonly countIndex?: Evaluated;
  /** In provisioners and postconditions. */
  readonly self?: Evaluated;
  /**
   * Checks a reference to a declared object against its block and its schema. Callers that provide it
   * get references checked before evaluation, also those in parts that are not evaluated.
   */
  readonly problemOf?: ((reference: Reference) => ReferenceProblem | undefined) | undefined;
  /** Lists declared names to suggest after a failed lookup: `null_resource.a`, `var.names`. */
  declared?(kind: Subject["kind"]): readonly string[];
}

/** A scope without any name, for values that must be literal. */
export const EMPTY_SCOPE: EvaluationScope = {
  resource: () => undefined,
  variable: () => undefined,
  local: () => undefined,
  path: { module: ".", root: ".", cwd: "." },
  workspace: "default",
};

/** The result of an expression that may fail. */
export interface Attempted {
  readonly value: Evaluated;
  readonly failed: boolean;
  /** Set if it fails only here, so that `try` and `can` do not catch it. */
  readonly refusal?: Diagnostic | undefined;
}

/** The surroundings in which a node is evaluated. */
export interface Context {
  readonly scope: EvaluationScope;
  /** Variables of the enclosing `for` expressions and splats. */
  readonly symbols: ReadonlyMap<string, Evaluated>;
  /** Evaluates an inner node, with further symbols if given. */
  evaluate(node: Node, symbols?: ReadonlyMap<string, Evaluated>): Evaluated;
  /** Evaluates a node without reporting its errors, with further symbols if given. */
  attempt(node: Node, symbols?: ReadonlyMap<string, Evaluated>): Attempted;
  /** True in a template of `templatefile` or `templatestring`. */
  readonly isTemplate: boolean;
  /** Evaluates a template whose only names are `symbols`. */
  render(
    node: Node,
    symbols: ReadonlyMap<string, Evaluated>,
  ): { value: Evaluated; problems: readonly ReferenceProblem[] };
  /** Counts iterations of a loop; false, with an error, beyond the bound of an expression. */
  iterate(count: number): boolean;
  /** Reports an error that `try` and `can` do not catch, as one that needs no value to be found. */
  refuse(summary: string, detail: string | Printed): Unknown;
  /** Reports an error and gives `UNKNOWN` in its place. A message never contains a value. */
  report(summary: string, detail: string, path?: AttributePath): Unknown;
}
