import { compareStrings } from "../../provider/values";
import { parseAddress } from "../../runtime/state/address";
import { struct, unlessEmpty, type JsonTree } from "../../runtime/state/format-json";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from "../../runtime/state/state-value";

/** Encodes the check results of a state or a plan as `checks`; undefined where there are none. */
export function encodeCheckResults(results: Json): JsonTree | undefined {
  const encoded = sortedObjects(results, "config_addr").map((result) =>
    struct([
      ["address", subjectOf(textOf(result.object_kind), textOf(result.config_addr))],
      ["status", result.status],
      ["instances", unlessEmpty(sortedObjects(result.objects, "object_addr").map(encodeObject))],
    ]),
  );
  return unlessEmpty(encoded);
}

function encodeObject(object: JsonObject): JsonTree {
  const address = textOf(object.object_addr);
  const key = parseAddress(address)?.key;
  const messages = listOf(object.failure_messages).map(textOf).sort(compareStrings);
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
    .sort((a, b) => compareStrings(textOf(a[member]), textOf(b[member])));
}

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isJsonArray(json) ? json : [];
}

function textOf(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}
