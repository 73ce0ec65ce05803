import { memberOf } from "../../core/member-of";
import { plainDynamics } from "../../core/schema/dynamic";
import type { Attributes } from "../../core/schema/attribute";
import type { SchemaLookup } from "../../core/documents/plan-document";
import { formatAddress } from "../../core/documents/address";
import {
  toExactObject,
  toExactValue,
  isJsonArray,
  isJsonObject,
  type Json,
} from "../../core/documents/state-value";
import { toAttributePaths } from "../../core/documents/sensitive-paths";
import type { InstanceState, ResourceState, State, OutputState } from "../../core/documents/state";
import { compareResource } from "../difference/compare";
import type { Difference, Scalar } from "../difference/difference";
import { PathTree } from "../difference/path-tree";
import { attributeName, printable, quote, rendered, type Printable } from "../../core/printed";
import { renderDifference } from "./difference-text";
import type { RenderOptions } from "./render-options";
import type { Style } from "./style";
import { renderValue } from "./value-text";
import { decodeType } from "../../core/type-json";
import { withType } from "../../core/typed-values";
import { ANY } from "../../core/types";
import { compareStrings } from "../../core/values";
import { isExactNumber } from "../../core/json/lossless-json";

/**
 * Describes a value of a state as a difference without an effect, for the renderers of plans.
 * `type` is its type in cty's notation; without one, records are objects.
 */
function describeStored(value: Json, type?: Json): Difference {
  if (isJsonArray(value)) {
    return unchanged({
      kind: "list",
      elements: value.map((element, index) => describeStored(element, partType(type, index))),
      context: false,
    });
  }
  if (!isJsonObject(value) || isExactNumber(value)) return describeScalar(value);
  const isMap = type !== undefined && isJsonArray(type) && type[0] === "map";
  const entries = Object.entries(value)
    // A declared member that is null is absent.
    .filter(([, member]) => isMap || type === undefined || member !== null)
    .map(([key, member]): [string, Difference] => [
      key,
      describeStored(member, partType(type, key)),
    ]);
  const members = new Map(entries);
  return unchanged(
    isMap ? { kind: "map", elements: members } : { kind: "object", members, declared: false },
  );
}

/** A hidden value. */
const HIDDEN: Difference = unchanged({
  kind: "sensitive",
  inner: "none",
  before: true,
  after: true,
});

function describeScalar(value: Scalar): Difference {
  // Terraform shows an empty string of a state as null.
  const shown = value === "" ? null : value;
  return unchanged({ kind: "primitive", before: shown, after: shown });
}

/** The type of a part of a value, in cty's notation. */
function partType(type: Json | undefined, step: string | number): Json | undefined {
  const [kind, inner] = type !== undefined && isJsonArray(type) ? type : [];
  if (inner === undefined) return undefined;
  if (kind === "tuple") return isJsonArray(inner) ? inner[Number(step)] : undefined;
  if (kind === "object") return isJsonObject(inner) ? memberOf(inner, step) : undefined;
  return inner;
}

function unchanged(content: Difference["content"]): Difference {
  return { effect: "none", forcesReplacement: false, content };
}

/** Renders a state as `terraform show` does. */
export function renderState(state: State, schemaOf: SchemaLookup, style: Style): Printable {
  const outputs = Object.entries(state.outputs);
  if (state.resources.length === 0 && outputs.length === 0) {
    return rendered("The state file is empty. No resources are represented.\n");
  }
  const objects = state.resources.flatMap((resource) =>
    resource.instances.map((instance) => renderObject(resource, instance, schemaOf, style)),
  );
  const resources = objects.join("\n");
  if (outputs.length === 0) return rendered(resources);
  const listed = outputs.map(([name, { value, type, sensitive }]) => {
    const described = sensitive ? HIDDEN : describeStored(value, type);
    return `${attributeName(name)} = ${renderDifference(described, 0, stateOptions(style))}\n`;
  });
  return rendered(`${resources}\n\nOutputs:\n\n${listed.join("")}`);
}

/** Renders one object as `terraform state show` does. */
export function renderObject(
  resource: ResourceState,
  instance: InstanceState,
  schemaOf: SchemaLookup,
  style: Style,
): Printable {
  const address = printable(formatAddress({ ...resource, key: instance.indexKey }));
  const note =
    instance.deposed === undefined
      ? instance.status === "tainted"
        ? " (tainted)"
        : ""
      : ` (deposed object ${printable(instance.deposed)})`;
  const keyword = resource.mode === "managed" ? "resource" : "data";
  const attributes = schemaOf(resource);
  const described = attributes ? describe(attributes, instance) : describeForeign(instance);
  const body = renderDifference(described, 0, stateOptions(style));
  return rendered(
    `# ${address}:${note}\n${keyword} ${quote(resource.type)} ${quote(resource.name)} ${body}\n`,
  );
}

function describe(attributes: Attributes, instance: InstanceState): Difference {
  const value = plainDynamics(attributes, toExactObject(instance.attributes));
  const sensitive = new PathTree(toAttributePaths(instance.sensitivePaths));
  return compareResource(attributes, {
    before: value,
    after: value,
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
    replace: PathTree.NONE,
  });
}

/** Without a schema, a sensitive path hides the whole attribute that contains it. */
function describeForeign({ attributes, sensitivePaths }: InstanceState): Difference {
  const hidden = new Set(sensitivePaths.map(([first]) => first?.value));
  const members = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, Difference] => [
      name,
      hidden.has(name) ? HIDDEN : describeStored(value),
    ]);
  return {
    effect: "none",
    forcesReplacement: false,
    content: { kind: "object", members: new Map(members), declared: true },
  };
}

function stateOptions(style: Style): RenderOptions {
  return { style, symbols: false, unchanged: true, nullSuffix: false };
}

/** Lists the outputs of a state as `terraform output` does; sensitive values are hidden. */
export function renderOutputs(outputs: Readonly<Record<string, OutputState>>): Printable {
  const lines = Object.entries(outputs)
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([name, { value, type, sensitive }]) => {
      const text = sensitive ? "<sensitive>" : renderOutputValue(value, type);
      return `${attributeName(name)} = ${text}\n`;
    });
  return rendered(lines.join(""));
}

/** Renders a value in Terraform's syntax, with its type where the syntax is ambiguous. */
export function renderOutputValue(value: Json, type?: Json): Printable {
  return renderValue(withType(toExactValue(value), decodeType(type) ?? ANY));
}
