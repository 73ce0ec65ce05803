import type { Attributes, Kind } from "../../provider/schema/attribute";
import { objectType, terraformType } from "../../provider/schema/terraform";
import { blockOf, splitKey } from "../config/instance-key";
import type { ResourceConfig } from "../config/stack-config";
import { kindAt } from "../evaluation/attributes";
import { resourceSchema } from "../graph/stack-context";
import { isList, isObject, unmarkRoot, type Evaluated } from "../expressions/evaluated";
import type { Node } from "../expressions/nodes";
import { typeOf } from "../expressions/types";
import type { Json } from "../state/state-value";
import type { StackRun } from "./run";

/**
 * Returns the type of an output in the format of the state. A variable has its declared type; an
 * object or an attribute, also by a splat, has the type of its schema. For other expressions the type
 * is inferred from the value: a list of Terraform may be a tuple of the same values here.
 */
export function outputType(run: StackRun, node: Node, evaluated: Evaluated): Json {
  return declaredType(run, node, evaluated) ?? terraformType(typeOf(evaluated));
}

function declaredType(run: StackRun, node: Node, evaluated: Evaluated): Json | undefined {
  if (node.kind === "splat") {
    const element = splatKind(run, node);
    return element && ["list", terraformType(element)];
  }
  const variable = variableType(run, node);
  if (variable) return variable;
  const found = attributesOf(run, node);
  if (!found) return undefined;
  const { block, attributes } = found;
  const { key, path } = splitKey(found.reference, block);
  if (path.length === 0) {
    const object = objectType(attributes);
    return key === undefined ? wholeType(block, object, evaluated) : object;
  }
  const kind = kindAt(attributes, path);
  return kind && terraformType(kind);
}

/** Returns the declared type of a variable; undefined if it leaves a part open. */
function variableType({ context }: StackRun, node: Node): Json | undefined {
  if (node.kind !== "reference" || node.reference.path.length > 0) return undefined;
  const { subject } = node.reference;
  const type =
    subject.kind === "variable" ? context.config.variables.get(subject.name)?.type : undefined;
  if (!type) return undefined;
  const json = terraformType(type) as Json;
  return JSON.stringify(json).includes('"dynamic"') ? undefined : json;
}

/** Returns the type of a resource: an object, or with `count` or `for_each` those of its instances. */
function wholeType(block: ResourceConfig, object: Json, evaluated: Evaluated): Json | undefined {
  const { value } = unmarkRoot(evaluated);
  if (block.count) return isList(value) ? ["tuple", value.map(() => object)] : undefined;
  if (!block.forEach) return object;
  if (!isObject(value)) return undefined;
  return ["object", Object.fromEntries(Object.keys(value).map((key) => [key, object]))];
}

/** Returns the kind of the elements of `list[*].attribute`, for a list of the schema. */
function splatKind(run: StackRun, node: Extract<Node, { kind: "splat" }>): Kind | undefined {
  const found = attributesOf(run, node.source);
  const source = found && kindAt(found.attributes, splitKey(found.reference, found.block).path);
  if (source?.kind !== "list" && source?.kind !== "set") return undefined;
  let element: Kind | undefined = source.element;
  for (const step of node.each.kind === "traversal" ? node.each.steps : []) {
    if (step.kind !== "attribute" || element?.kind !== "object") return undefined;
    element = kindAt(element.attributes, [step.name]);
  }
  return element;
}

/** Returns the schema of the resource that a reference names. */
function attributesOf({ context }: StackRun, node: Node) {
  if (node.kind !== "reference") return undefined;
  const { reference } = node;
  const block = blockOf(context.config, reference);
  const schema = block && resourceSchema(context, block);
  if (!schema || "problem" in schema) return undefined;
  const { attributes }: { readonly attributes: Attributes } = schema;
  return { reference, block, attributes };
}
