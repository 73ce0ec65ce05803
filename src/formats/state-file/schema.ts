import { z } from "zod";
import { ResultsByText } from "../../core/alike";
import type { InstanceState, OutputState, ResourceState, State } from "../../core/documents/state";
import { isJsonObject, type Json, type JsonObject } from "../../core/documents/state-value";
import { nativeJson } from "../../core/json/lossless-json";
import { schemaMessages } from "../../core/schema/schema-messages";

// The result of parseJson is JSON at all levels: these two check the top only.
const json = z.custom<Json>((value) => value !== undefined, "is missing");
const jsonObject = z.custom<JsonObject>(isJsonObject, "must be an object");
const count = z.int().nonnegative();

const sensitivePath = z.array(
  z.union([
    z.strictObject({ type: z.literal("get_attr"), value: z.string() }),
    z.strictObject({
      type: z.literal("index"),
      value: z.strictObject({ value: json, type: json }),
    }),
  ]),
);

/** An output, which journals have, too. */
export const storedOutput = z
  .object({ value: json, type: json, sensitive: z.boolean().default(false) })
  .catchall(json)
  .transform(({ value, type, sensitive, ...unknown }): OutputState => ({
    value,
    type,
    sensitive,
    ...kept(unknown),
  }));

/** An instance, which journals have, too. */
export const storedInstance = z
  .object({
    index_key: z.union([z.string(), count]).nullish(),
    status: z.literal(["tainted", ""]).optional(),
    deposed: z.string().optional(),
    schema_version: count.default(0),
    attributes: jsonObject.nullish(),
    attributes_flat: jsonObject.nullish(),
    sensitive_attributes: z.array(sensitivePath).nullish(),
    identity_schema_version: count.optional(),
    identity: jsonObject.nullish(),
    private: z.base64().nullish(),
    dependencies: z.array(z.string()).nullish(),
    create_before_destroy: z.boolean().default(false),
  })
  .catchall(json)
  .transform(
    ({
      index_key,
      status,
      deposed,
      schema_version,
      attributes,
      attributes_flat,
      sensitive_attributes,
      identity_schema_version,
      identity,
      private: base64,
      dependencies,
      create_before_destroy,
      ...unknown
    }): InstanceState => ({
      ...(index_key != null && { indexKey: index_key }),
      ...(status && { status }),
      ...(deposed && { deposed }),
      schemaVersion: schema_version,
      attributes: alike(attributes ?? {}),
      ...(!attributes && attributes_flat && { attributesFlat: attributes_flat }),
      sensitivePaths: sensitive_attributes ?? [],
      ...(identity_schema_version !== undefined && {
        identitySchemaVersion: identity_schema_version,
      }),
      ...(identity && { identity }),
      ...(base64 && { private: Buffer.from(base64, "base64") }),
      dependencies: dependencies ?? [],
      createBeforeDestroy: create_before_destroy,
      ...kept(unknown),
    }),
  );

const knownAttributes = new ResultsByText<JsonObject>();

/** Returns the same attributes for equal ones: many stacks have objects that are alike. */
function alike(attributes: JsonObject): JsonObject {
  const text = nativeJson(attributes);
  if (text === undefined) return attributes;
  const same = knownAttributes.get(text);
  if (!same) knownAttributes.set(text, attributes);
  return same ?? attributes;
}

const knownInstances = new ResultsByText<InstanceState>();

/** Longer instances contain a snapshot of a console, which is another one in each stack. */
const MOST_SHARED_CHARACTERS = 2_000;

/** Reads equal instances once. */
const sharedInstance = z.unknown().transform((json, context): InstanceState => {
  const text = nativeJson(json);
  const known = text === undefined ? undefined : knownInstances.get(text);
  if (known) return known;
  const read = storedInstance.safeParse(json, { error: schemaMessages });
  if (!read.success) {
    for (const { path, message } of read.error.issues) {
      context.issues.push({ code: "custom", path, message, input: json });
    }
    return z.NEVER;
  }
  if (text !== undefined && text.length <= MOST_SHARED_CHARACTERS)
    knownInstances.set(text, read.data);
  return read.data;
});

const resourceFile = z
  .object({
    module: z.string().optional(),
    mode: z.enum(["managed", "data"]),
    type: z.string(),
    name: z.string(),
    provider: z.string(),
    instances: z.array(sharedInstance).nullish(),
  })
  .catchall(json)
  .transform(({ module, mode, type, name, provider, instances, ...unknown }): ResourceState => ({
    ...(module && { module }),
    mode,
    type,
    name,
    provider,
    instances: instances ?? [],
    ...kept(unknown),
  }));

/** A state file of version 4. Members that this version does not know are kept as they are. */
export const stateFile = z
  .object({
    version: z.literal(4),
    terraform_version: z.string().default(""),
    serial: count.default(0),
    lineage: z.string().default(""),
    outputs: z.record(z.string(), storedOutput).nullish(),
    resources: z.array(resourceFile).nullish(),
    check_results: json.optional(),
  })
  .catchall(json)
  .transform(
    ({
      terraform_version,
      serial,
      lineage,
      outputs,
      resources,
      check_results,
      ...unknown
    }): State => ({
      lineage,
      serial,
      terraformVersion: terraform_version,
      outputs: outputs ?? {},
      resources: resources ?? [],
      checkResults: check_results ?? null,
      unknown: Object.fromEntries(Object.entries(unknown).filter(([key]) => key !== "version")),
    }),
  );

function kept(unknown: JsonObject): { unknown?: JsonObject } {
  return Object.keys(unknown).length > 0 ? { unknown } : {};
}
