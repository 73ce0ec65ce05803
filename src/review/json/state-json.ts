import { walkAttributes } from "../../provider/schema/walk";
import type { SchemaLookup } from "../../runtime/documents/plan-document";
import { compareAddresses, formatAddress, parseProvider } from "../../runtime/state/address";
import { formatJson, struct, unlessEmpty, type JsonTree } from "../../runtime/state/format-json";
import { toKnownObject, type JsonObject } from "../../runtime/state/state-value";
import { toAttributePaths } from "../../runtime/state/sensitive-paths";
import type { InstanceState, OutputState, ResourceState, State } from "../../runtime/state/state";
import { PathTree } from "../difference/path-tree";
import { sensitiveTree } from "./value-trees";
import { encodeCheckResults } from "./check-results";

/** Renders a state in the format 1.0 of `terraform show -json`, with sensitive values in plain text. */
export function renderStateJson(state: State, schemaOf: SchemaLookup): string {
  return formatJson(isEmptyState(state) ? struct([FORMAT]) : encodeState(state, schemaOf));
}

const FORMAT = ["format_version", "1.0"] as const;

export function isEmptyState({ resources, outputs }: State): boolean {
  return resources.length === 0 && Object.keys(outputs).length === 0;
}

export function encodeState(state: State, schemaOf: SchemaLookup): JsonTree {
  const outputs = Object.fromEntries(
    Object.entries(state.outputs).map(([name, output]) => [name, encodeOutput(output)]),
  );
  return struct([
    FORMAT,
    ["terraform_version", state.terraformVersion],
    [
      "values",
      struct([
        ["outputs", unlessEmpty(outputs)],
        ["root_module", struct(moduleMembers(undefined, state.resources, schemaOf))],
      ]),
    ],
    ["checks", encodeCheckResults(state.checkResults)],
  ]);
}

function encodeOutput({ sensitive, value, type }: OutputState): JsonTree {
  return struct([
    ["sensitive", sensitive],
    ["value", value],
    ["type", type],
  ]);
}

/** The resources of one module, and the modules in it. */
function moduleMembers(
  module: string | undefined,
  within: readonly ResourceState[],
  schemaOf: SchemaLookup,
): [string, JsonTree | undefined][] {
  const own = within.filter((resource) => resource.module === module);
  const objects = own
    .flatMap((resource) => resource.instances.map((instance) => ({ resource, instance })))
    .sort(compareObjects)
    .map(({ resource, instance }) => encodeObject(resource, instance, schemaOf));
  const children = childModules(module, within).map((child) => {
    const inside = within.filter((resource) => isWithin(resource.module, child));
    return struct(moduleMembers(child, inside, schemaOf));
  });
  return [
    ["resources", unlessEmpty(objects)],
    ["address", module],
    ["child_modules", unlessEmpty(children)],
  ];
}

interface StateObject {
  readonly resource: ResourceState;
  readonly instance: InstanceState;
}

function compareObjects(a: StateObject, b: StateObject): number {
  const addresses = compareAddresses(
    { ...a.resource, key: a.instance.indexKey },
    { ...b.resource, key: b.instance.indexKey },
  );
  return (
    addresses || Number(a.instance.deposed !== undefined) - Number(b.instance.deposed !== undefined)
  );
}

/** Paths of the modules directly in `module`. */
function childModules(
  module: string | undefined,
  within: readonly ResourceState[],
): readonly string[] {
  const base = module === undefined ? "" : `${module}.`;
  const children = within.flatMap((resource) => {
    const rest = resource.module?.startsWith(base) && resource.module.slice(base.length);
    const [child] = rest
      ? (/^module\.[\w-]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?/.exec(rest) ?? [])
      : [];
    return child === undefined ? [] : [base + child];
  });
  return [...new Set(children)].sort();
}

function isWithin(module: string | undefined, parent: string): boolean {
  return module === parent || module?.startsWith(`${parent}.`) === true;
}

function encodeObject(
  resource: ResourceState,
  instance: InstanceState,
  schemaOf: SchemaLookup,
): JsonTree {
  const { mode, type, name } = resource;
  const { indexKey, schemaVersion, dependencies, deposed, status } = instance;
  const attributes = schemaOf(resource);
  const unset = Object.fromEntries(Object.keys(attributes ?? {}).map((key) => [key, null]));
  const values: JsonObject = { ...unset, ...instance.attributes };
  const known = toKnownObject(values);
  const declared = [...walkAttributes(attributes ?? {}, known)]
    .filter(({ attribute }) => attribute.sensitive)
    .map(({ path }) => path);
  const paths = [...declared, ...toAttributePaths(instance.sensitivePaths)];
  const kind = attributes && ({ kind: "object", attributes } as const);
  return struct([
    ["address", formatAddress({ ...resource, key: indexKey })],
    ["mode", mode],
    ["type", type],
    ["name", name],
    ["index", indexKey],
    ["provider_name", parseProvider(resource.provider)?.address ?? resource.provider],
    ["schema_version", schemaVersion],
    ["values", values],
    ["sensitive_values", sensitiveTree(kind, known, new PathTree(paths))],
    ["depends_on", unlessEmpty(dependencies)],
    ["tainted", status === "tainted" || undefined],
    ["deposed_key", deposed],
  ]);
}
