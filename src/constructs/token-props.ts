import { Lazy, type IResolvable, type TerraformIterator } from "cdktf";
import { propName } from "./naming";
import { isPlainObject } from "./split-props";
import type { Attribute } from "../core/schema/attribute";
import type { Type } from "../core/types";

/** The result of `TerraformIterator.dynamic`, for which cdktf exports no type. */
interface DynamicExpression {
  readonly iterator: TerraformIterator;
  readonly content: object;
}

const DYNAMIC_EXPRESSION = Symbol.for("cdktf/TerraformDynamicExpression");

export function isDynamic(token: object): token is DynamicExpression {
  return DYNAMIC_EXPRESSION in token;
}

/** Renames the props in the value of a token to attributes when it is resolved. */
export function withAttributeNames(type: Type<Attribute>, token: IResolvable): IResolvable {
  return Lazy.anyValue({ produce: (context) => renamed(type, context.resolve(token)) });
}

/** Keeps expressions, which have no props. */
function renamed(kind: Type<Attribute>, data: unknown): unknown {
  if (Array.isArray(data)) {
    return "element" in kind ? data.map((item: unknown) => renamed(kind.element, item)) : data;
  }
  if (kind.kind !== "object" || !isPlainObject(data)) return data;
  const members = new Map<string, unknown>(Object.entries(data));
  for (const [name, { type }] of Object.entries(kind.attributes)) {
    const key = [propName(name), name].find((spelled) => members.has(spelled));
    if (key === undefined) continue;
    const member = renamed(type, members.get(key));
    members.delete(key);
    members.set(name, member);
  }
  return Object.fromEntries(members);
}
