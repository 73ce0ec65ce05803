import { UNKNOWN } from "../../provider/values";
import type { Context } from "./context";
import { isList, NO_MARKS, SetValue, unmarkRoot } from "./evaluated";
import type { Node } from "./nodes";

export type CallNode = Extract<Node, { kind: "call" }>;

/** The arguments, the last one spread where `...` follows it; no values: not known yet. */
export function argumentsOf({ name, args, expandFinal }: CallNode, context: Context) {
  const values = args.map((arg) => context.evaluate(arg));
  if (!expandFinal) return { values, marks: NO_MARKS };
  const last = unmarkRoot(values.pop() ?? null);
  if (last.value === UNKNOWN) return { values: undefined, marks: last.marks };
  const items = last.value instanceof SetValue ? last.value.elements : last.value;
  if (isList(items)) return { values: [...values, ...items], marks: last.marks };
  context.report(
    "Invalid expanding argument value",
    `The expanding argument (indicated by ...) of "${name}" must be of a tuple, list, or set type.`,
  );
  return { values: undefined, marks: last.marks };
}
