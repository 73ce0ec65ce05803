import {
  BooleanMap,
  ComplexList,
  ComplexObject,
  Fn,
  Token,
  type IInterpolatingParent,
  type IResolvable,
} from "cdktf";
import { propName } from "./naming";
import type { Attribute, Attributes, Kind } from "../core/schema/attribute";
import { nestedAttributes } from "../core/schema/terraform";

/** A list of objects that the provider computes: a token for the list, or for an element. */
export interface ComputedList<Item> extends ComplexList {
  get(index: number): Item;
}

/** The computed attributes as tokens, by the names of props. */
export type Computed<A extends Attributes> = {
  readonly [
    N in keyof A & string as A[N]["mode"] extends "computed" ? PropName<N> : never
  ]: TokenOf<A[N]["type"]>;
};

type PropName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<PropName<Tail>>}`
  : Name;

type TokenOf<K extends Kind> = K extends { kind: "string" }
  ? string
  : K extends { kind: "number" }
    ? number
    : K extends { kind: "object"; attributes: infer A extends Attributes }
      ? Computed<A>
      : K extends {
            kind: "list";
            element: { kind: "object"; attributes: infer A extends Attributes };
          }
        ? ComputedList<Computed<A>>
        : K extends { kind: "list" | "set"; element: { kind: "string" } }
          ? string[]
          : K extends { kind: "map"; element: { kind: "bool" } }
            ? BooleanMap
            : IResolvable;

/** Returns the computed attributes of `parent`. Each token is created when it is read. */
export function computedOf<A extends Attributes>(
  parent: IInterpolatingParent,
  attributes: A,
): Computed<A>;
export function computedOf(parent: IInterpolatingParent, attributes: Attributes): object {
  return withTokens({}, parent, attributes);
}

function withTokens<Target extends object>(
  target: Target,
  parent: IInterpolatingParent,
  attributes: Attributes,
): Target {
  for (const [name, attribute] of Object.entries(attributes)) {
    if (attribute.mode !== "computed") continue;
    Object.defineProperty(target, propName(name), {
      enumerable: true,
      get: () => token(parent, name, attribute),
    });
  }
  return target;
}

function token(parent: IInterpolatingParent, name: string, { type }: Attribute): unknown {
  const whole = () => parent.interpolationForAttribute(name);
  const nested = nestedAttributes(type);
  if (nested && type.kind === "object") return objectAt(parent, name, nested);
  if (nested && type.kind === "list") return new ObjectList(parent, name, nested);
  if (type.kind === "string") return Token.asString(whole());
  if (type.kind === "number") return Token.asNumber(whole());
  if (!("element" in type)) return whole();
  if (type.kind === "map") {
    return type.element.kind === "bool" ? new BooleanMap(parent, name) : whole();
  }
  if (type.element.kind !== "string") return whole();
  // Elements of a set have no index.
  return Token.asList(type.kind === "set" ? Fn.tolist(whole()) : whole());
}

class ObjectList extends ComplexList {
  constructor(
    parent: IInterpolatingParent,
    name: string,
    private readonly attributes: Attributes,
  ) {
    super(parent, name, false);
  }

  get(index: number): object {
    return objectAt(this.terraformResource, this.terraformAttribute, this.attributes, index);
  }
}

function objectAt(
  parent: IInterpolatingParent,
  name: string,
  attributes: Attributes,
  index?: number,
): object {
  const object = new ComplexObject(parent, name, false, index);
  return withTokens(object, object, attributes);
}
