import { mapMembers } from "../../../core/member-of";
import { UNKNOWN } from "../../../core/values";
import { convert } from "../convert";
import { isList, isObject, like, mark, Marked, unmarkRoot, type Evaluated } from "../evaluated";
import { isUnknown, nullOf, typeOf, unknownOf } from "../typed";
import { ANY, BOOL, NUMBER, STRING, type Type } from "../../../core/types";
import { define, fail, raw, type FunctionDefinition } from "./language-function";

function to(type: Type): FunctionDefinition {
  return define([raw], ([value]) => {
    const { value: converted, problems } = convert(value, type);
    const [problem] = problems;
    if (problem) return fail(problem.message, "v");
    // Nothing else is known of the result, not even the type of the elements.
    return isUnknown(value) ? mark(unknownOf(type), unmarkRoot(value).marks) : converted;
  });
}

function withoutEphemeral(value: Evaluated): Evaluated {
  if (value instanceof Marked) {
    if (value.ephemeral) return mark(nullOf(typeOf(value)), { sensitive: value.sensitive });
    const { value: root } = value;
    return isList(root) || isObject(root) ? mark(withoutEphemeral(root), value) : value;
  }
  if (isList(value)) return like(value, value.map(withoutEphemeral));
  if (isObject(value))
    return like(
      value,
      mapMembers(value, (one) => withoutEphemeral(one)),
    );
  return value;
}

export const conversionFunctions: Readonly<Record<string, FunctionDefinition>> = {
  ephemeralasnull: define([raw], ([value]) => withoutEphemeral(value)),
  issensitive: define([raw], ([value]) => {
    const root = unmarkRoot(value);
    if (root.marks.sensitive) return true;
    return root.value === UNKNOWN ? UNKNOWN : false;
  }),
  nonsensitive: define([raw], ([value]) => {
    if (!(value instanceof Marked)) return value;
    return mark(value.value, { ephemeral: value.ephemeral });
  }),
  sensitive: define([raw], ([value]) => mark(value, { sensitive: true })),
  tobool: to(BOOL),
  tolist: to({ kind: "list", element: ANY }),
  tomap: to({ kind: "map", element: ANY }),
  tonumber: to(NUMBER),
  toset: to({ kind: "set", element: ANY }),
  tostring: to(STRING),
};
