import type { Attributes } from "../../provider/schema/attribute";
import type { SchemaLookup } from "../../runtime/documents/plan-document";
import { formatAddress } from "../../runtime/state/address";
import { toKnownObject } from "../../runtime/state/state-value";
import { toAttributePaths } from "../../runtime/state/sensitive-paths";
import type { InstanceState, ResourceState, State } from "../../runtime/state/state";
import { compareResource } from "../difference/compare";
import type { Difference } from "../difference/difference";
import { PathTree } from "../difference/path-tree";
import { attributeName, printable, quote } from "./quote";
import { renderDifference } from "./difference-text";
import type { RenderOptions } from "./render-options";
import { describeStored, HIDDEN } from "../difference/stored-value";
import type { Style } from "./style";

/** Renders a state as `terraform show` does. */
export function renderState(state: State, schemaOf: SchemaLookup, style: Style): string {
  const outputs = Object.entries(state.outputs);
  if (state.resources.length === 0 && outputs.length === 0) {
    return "The state file is empty. No resources are represented.\n";
  }
  const objects = state.resources.flatMap((resource) =>
    resource.instances.map((instance) => renderObject(resource, instance, schemaOf, style)),
  );
  const resources = objects.join("\n");
  if (outputs.length === 0) return resources;
  const listed = outputs.map(([name, { value, type, sensitive }]) => {
    const described = sensitive ? HIDDEN : describeStored(value, type);
    return `${attributeName(name)} = ${renderDifference(described, 0, stateOptions(style))}\n`;
  });
  return `${resources}\n\nOutputs:\n\n${listed.join("")}`;
}

/** Renders one object as `terraform state show` does. */
export function renderObject(
  resource: ResourceState,
  instance: InstanceState,
  schemaOf: SchemaLookup,
  style: Style,
): string {
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
  return `# ${address}:${note}\n${keyword} ${quote(resource.type)} ${quote(resource.name)} ${body}\n`;
}

function describe(attributes: Attributes, instance: InstanceState): Difference {
  const value = toKnownObject(instance.attributes);
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
