import type { Diagnostic } from "../../provider/diagnostics";
import { UNKNOWN } from "../../provider/values";
import type { Evaluated } from "./evaluated";
import type { Where } from "./expression";
import type { Node } from "./nodes";
import type { Scope } from "./scope";

export function evaluateNode(
  _node: Node,
  _scope: Scope,
  _where: Where,
): { value: Evaluated; diagnostics: readonly Diagnostic[] } {
  return { value: UNKNOWN, diagnostics: [] };
}
