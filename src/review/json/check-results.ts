import { compareStrings } from "../../provider/values";
import { parseAddress } from "../../runtime/state/address";
import { struct, type JsonTree } from "../../runtime/state/format-json";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../runtime/state/json";

/** Encodes the check results of a state or a plan as `checks`; undefined where there are none. */
export function encodeCheckResults(results: Json): JsonTree | undefined {
  const kept = isJsonArray(results) ? results.filter(isJsonObject) : [];
  if (kept.length === 0) return undefined;
  const encoded = kept.map((result) => {
    const address = textOf(result.config_addr);
    const objects = isJsonArray(result.objects ?? null)
      ? (result.objects as readonly Json[]).filter(isJsonObject)
      : [];
    objects.sort((a, b) => compareStrings(textOf(a.object_addr), textOf(b.object_addr)));
    return {
      address,
      tree: struct([
        ["address", subjectOf(textOf(result.object_kind), address)],
        ["status", result.status],
        ["instances", objects.length > 0 ? objects.map(encodeInstance) : undefined],
      ]),
    };
  });
  return encoded.sort((a, b) => compareStrings(a.address, b.address)).map(({ tree }) => tree);
}

function encodeInstance(object: JsonObject): JsonTree {
  const address = textOf(object.object_addr);
  const key = parseAddress(address)?.key;
  const messages = isJsonArray(object.failure_messages ?? null)
    ? (object.failure_messages as readonly Json[]).map(textOf).sort(compareStrings)
    : [];
  return struct([
    ["address", { to_display: address, ...(key !== undefined && { instance_key: key }) }],
    ["status", object.status],
    ["problems", messages.length > 0 ? messages.map((message) => ({ message })) : undefined],
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

function textOf(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}
