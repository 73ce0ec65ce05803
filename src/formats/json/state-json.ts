import { mapMembers, memberOf } from "../../core/member-of";
import { plainDynamics } from "../../core/schema/dynamic";
import { walkAttributes } from "../../core/schema/walk";
import type { SchemaLookup } from "../../core/documents/plan-document";
import {
  compareAddresses,
  formatAddress,
  parseProvider,
  parseAddress,
} from "../../core/documents/address";
import { formatJson, struct, unlessEmpty, type JsonTree } from "../../core/json/format-json";
import {
  toExactObject,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type Json,
} from "../../core/documents/state-value";
import { toAttributePaths } from "../../core/documents/sensitive-paths";
import {
  isEmptyState,
  type InstanceState,
  type OutputState,
  type ResourceState,
  type State,
} from "../../core/documents/state";
import { PathTree } from "../difference/path-tree";
import { sensitiveTree } from "./value-trees";
import { compareStrings } from "../../core/values";

/** Renders a state in the format 1.0 of `terraform show -json`, with sensitive values in plain text. */
export function renderStateJson(state: State, schemaOf: SchemaLookup): string {
  return formatJson(isEmptyState(state) ? struct([FORMAT]) : encodeState(state, schemaOf));
}

const FORMAT = ["format_version", "1.0"] as const;

export function encodeState(state: State, schemaOf: SchemaLookup): JsonTree {
  const outputs = mapMembers(state.outputs, (output) => encodeOutput(output));
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

/** Renders the document of `terraform output -json`. */
export function renderOutputsJson(outputs: State["outputs"]): string {
  const encode = ({ sensitive, type, value }: OutputState) =>
    struct([
      ["sensitive", sensitive],
      ["type", type],
      ["value", value],
    ]);
  return formatJson(mapMembers(outputs, encode), "  ");
}

/** Renders the document of `terraform output -json NAME`. */
export function renderOutputValueJson({ value }: OutputState): string {
  return formatJson(value);
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
  const stored: JsonObject = { ...unset, ...instance.attributes };
  const values = attributes ? plainDynamics(attributes, stored) : stored;
  const known = toExactObject(values);
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

/** Encodes the check results of a state or a plan as `checks`; undefined where there are none. */
export function encodeCheckResults(results: Json): JsonTree | undefined {
  const encoded = sortedObjects(results, "config_addr").map((result) =>
    struct([
      ["address", subjectOf(stringOrEmpty(result.object_kind), stringOrEmpty(result.config_addr))],
      ["status", result.status],
      [
        "instances",
        unlessEmpty(sortedObjects(result.objects, "object_addr").map(encodeCheckedObject)),
      ],
    ]),
  );
  return unlessEmpty(encoded);
}

function encodeCheckedObject(object: JsonObject): JsonTree {
  const address = stringOrEmpty(object.object_addr);
  const key = parseAddress(address)?.key;
  const messages = listOf(object.failure_messages).map(stringOrEmpty).sort(compareStrings);
  return struct([
    ["address", { to_display: address, ...(key !== undefined && { instance_key: key }) }],
    ["status", object.status],
    ["problems", unlessEmpty(messages.map((message) => ({ message })))],
  ]);
}

function subjectOf(kind: string, address: string): JsonTree {
  const resource = kind === "resource" ? parseAddress(address) : undefined;
  if (resource) {
    const { mode, type, name } = resource;
    return { kind, mode, name, type, to_display: address };
  }
  return {
    kind: kind === "output" ? "output_value" : kind,
    name: address.split(".").at(-1) ?? "",
    to_display: address,
  };
}

function sortedObjects(json: Json | undefined, member: string): readonly JsonObject[] {
  return listOf(json)
    .filter(isJsonObject)
    .sort((a, b) =>
      compareStrings(stringOrEmpty(memberOf(a, member)), stringOrEmpty(memberOf(b, member))),
    );
}

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isJsonArray(json) ? json : [];
}

function stringOrEmpty(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}
