import { UNKNOWN } from "../../../provider/values";
import { convert } from "../convert";
import { isList, isObject, Marked, mark, unmarkRoot, type Evaluated } from "../evaluated";
import { ANY, BOOL, NUMBER, STRING, type Type } from "../types";
import { define, fail, raw, type FunctionDefinition } from "./language-function";

function to(type: Type): FunctionDefinition {
  return define([raw], ([value]) => {
    const { value: converted, problems } = convert(value, type);
    const [problem] = problems;
    return problem ? fail(problem.message, "v") : converted;
  });
}

function withoutEphemeral(value: Evaluated): Evaluated {
  if (value instanceof Marked) {
    return value.ephemeral
      ? mark(null, { sensitive: value.sensitive })
      : mark(withoutEphemeral(value.value), value);
  }
  if (isList(value)) return value.map(withoutEphemeral);
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withoutEphemeral(member)]),
    );
  }
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
    const root = unmarkRoot(value);
    return mark(root.value, { ephemeral: root.marks.ephemeral });
  }),
  sensitive: define([raw], ([value]) => mark(value, { sensitive: true })),
  tobool: to(BOOL),
  tolist: to({ kind: "list", element: ANY }),
  tomap: to({ kind: "map", element: ANY }),
  tonumber: to(NUMBER),
  toset: to({ kind: "set", element: ANY }),
  tostring: to(STRING),
};
