import { mapMembers } from "../../../core/member-of";
import { mark, unmarkRoot } from "../../../core/marks";
import { like, nullOf, typeOf } from "../../../core/typed-values";
import { isListValue, isObjectValue, Marked, UNKNOWN, type Evaluated } from "../../../core/values";
import { isUnknown, unknownOf } from "../ranges";
import { convert } from "../convert";
import { ANY, BOOL, NUMBER, STRING, type Type } from "../../../core/types";
import { define, fail, raw, type LanguageFunction } from "./language-function";

function to(type: Type): LanguageFunction {
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
    const { value: root, sensitive, hidden } = value;
    if (value.ephemeral) return mark(nullOf(typeOf(value)), { sensitive, hidden });
    return isListValue(root) || isObjectValue(root) ? mark(withoutEphemeral(root), value) : value;
  }
  if (isListValue(value)) return like(value, value.map(withoutEphemeral));
  if (isObjectValue(value))
    return like(
      value,
      mapMembers(value, (one) => withoutEphemeral(one)),
    );
  return value;
}

export const conversionFunctions: Readonly<Record<string, LanguageFunction>> = {
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
