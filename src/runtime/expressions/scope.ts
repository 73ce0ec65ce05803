import type { Functions } from "../../provider/functions/operations";
import type { Evaluated } from "./evaluated";
import type { Subject } from "./reference";

/**
 * What an expression may refer to while it is evaluated. The engine provides it.
 *
 * A lookup gives `undefined` where nothing of that name is declared. It gives `UNKNOWN` for what is
 * declared but not known yet, and for what failed and has been reported already, so that a fault is
 * told once.
 */
export interface Scope {
  /**
   * All instances: the object of the one instance; with `count` a list of objects; with `for_each`
   * an object of objects by key.
   */
  resource(mode: "managed" | "data", type: string, name: string): Evaluated | undefined;
  /** As a resource; not there where no block may refer to one. */
  ephemeral?(type: string, name: string): Evaluated | undefined;
  variable(name: string): Evaluated | undefined;
  local(name: string): Evaluated | undefined;
  /**
   * With Terraform, which cdktf starts in the stack's folder, `module` and `root` are "." and `cwd`
   * is that folder. Functions that read files start there.
   */
  readonly path: { readonly module: string; readonly root: string; readonly cwd: string };
  readonly workspace: string;
  /** What functions a provider has, by its local name; undefined where it is not included. */
  functions?(provider: string): Functions | undefined;
  /** In a block with `for_each`. */
  readonly each?: { readonly key: Evaluated; readonly value: Evaluated };
  /** In a block with `count`. */
  readonly countIndex?: Evaluated;
  /** In provisioners and postconditions. */
  readonly self?: Evaluated;
  /** The declared names to suggest where a lookup fails: `null_resource.a`, `var.names`. */
  declared?(kind: Subject["kind"]): readonly string[];
}

/** A scope in which nothing is declared: for what must be a literal. */
export const EMPTY_SCOPE: Scope = {
  resource: () => undefined,
  variable: () => undefined,
  local: () => undefined,
  path: { module: ".", root: ".", cwd: "." },
  workspace: "default",
};
