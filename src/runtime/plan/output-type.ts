import type { Kind } from "../../provider/schema/attribute";
import { objectType, terraformType } from "../../provider/schema/terraform";
import { kindAt } from "../evaluation/attributes";
import type { Evaluated } from "../expressions/evaluated";
import type { Node } from "../expressions/nodes";
import { formatSubject, type Reference } from "../expressions/reference";
import { typeOf, typeToJson } from "../expressions/types";
import type { Json } from "../state/json";
import type { PreparedChange } from "./prepared";
import type { StackRun } from "./run";

/**
 * The type of an output, as state writes it. An object or an attribute that is passed on as it is,
 * or by a splat, has the type of its schema. Other values have the type that their look gives: what
 * Terraform calls a list may be a tuple here, of the same values.
 */
export function outputType(run: StackRun, node: Node, evaluated: Evaluated): Json {
  return declaredType(run, node) ?? (typeToJson(typeOf(evaluated)) as Json);
}

function declaredType(run: StackRun, node: Node): Json | undefined {
  if (node.kind === "reference" && node.reference.path.length === 0) {
    return wholeType(changesOf(run, node.reference));
  }
  if (node.kind === "splat") {
    const element = splatKind(run, node);
    return element && ["list", terraformType(element)];
  }
  const kind = kindOf(run, node);
  return kind && terraformType(kind);
}

/** Of a resource: its object, or with `count` or `for_each` those of its instances. */
function wholeType(changes: readonly PreparedChange[]): Json | undefined {
  const [first] = changes;
  if (!first?.config) return undefined;
  const type: Json = objectType(first.schema.attributes);
  if (first.config.count) return ["tuple", changes.map(() => type)];
  if (!first.config.forEach) return type;
  const byKey = changes.map(({ instance }) => [String(instance.key), type] as const);
  return ["object", Object.fromEntries(byKey)];
}

/** What each element of `list[*].attribute` is, of a list in the schema. */
function splatKind(run: StackRun, node: Extract<Node, { kind: "splat" }>): Kind | undefined {
  const source = kindOf(run, node.source);
  if (source?.kind !== "list" && source?.kind !== "set") return undefined;
  let element: Kind | undefined = source.element;
  for (const step of node.each.kind === "traversal" ? node.each.steps : []) {
    if (step.kind !== "attribute" || element?.kind !== "object") return undefined;
    element = kindAt(element.attributes, [step.name]);
  }
  return element;
}

function kindOf(run: StackRun, node: Node): Kind | undefined {
  if (node.kind !== "reference") return undefined;
  const [change] = changesOf(run, node.reference);
  if (!change) return undefined;
  const { path } = node.reference;
  const inside = change.instance.key === undefined ? path : path.slice(1);
  return inside.length > 0 ? kindAt(change.schema.attributes, inside) : undefined;
}

/** Of the instances that there will be. */
function changesOf(run: StackRun, { subject }: Reference): readonly PreparedChange[] {
  if (subject.kind !== "resource") return [];
  const changes = run.changes.get(formatSubject(subject)) ?? [];
  return changes.filter(({ change }) => change.action !== "delete" && change.action !== "forget");
}
