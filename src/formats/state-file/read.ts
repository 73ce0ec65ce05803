import { joined, printed, type Printed } from "../../core/printed";
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { ResultsByText } from "../../core/alike";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { schemaMessages } from "../../core/schema/schema-messages";
import { formatAddress, formatResourceAddress, parseAddress } from "../../core/documents/address";
import { parseJson } from "../../core/json/lossless-json";
import { isJsonObject, type Json, type JsonObject } from "../../core/documents/state-value";
import type { InstanceState, OutputState, ResourceState, State } from "../../core/documents/state";

/** Reads a state file's bytes. Diagnostics never contain a value of the state. */
export function readState(
  bytes: Uint8Array,
  location: string,
): { state?: State; diagnostics: readonly Diagnostic[] } {
  const fail = (summary: string, detail: string) => ({ diagnostics: [error(summary, detail)] });

  if (bytes.length === 0) {
    return fail(
      "State file is empty",
      `${location} has no content, perhaps due to an interrupted program. Restore it, for ` +
        `example from ${location}.backup.`,
    );
  }
  if (!isUtf8(bytes)) {
    return fail("State file is not text", `${location} is not UTF-8. ${RESTORE}`);
  }
  const text = Buffer.from(bytes).toString("utf8");
  let document: unknown;
  try {
    document = parseJson(text);
  } catch (cause) {
    if (endsWithin(text, cause)) {
      const detail = `${location} ends within its JSON, after ${bytes.length} bytes: a part of it is missing.`;
      return fail("State file is truncated", `${detail} ${RESTORE}`);
    }
    const where = place(text, cause);
    return fail("State file is not JSON", `${location} is not valid JSON${where}. ${RESTORE}`);
  }

  if (encryptedFile.safeParse(document).success) {
    return fail(
      "State is encrypted",
      `OpenTofu has encrypted ${location}. The file is sound, but only OpenTofu can read it: ` +
        `plan, apply and edit it with --engine tofu, or turn the encryption off there.`,
    );
  }
  const head = versionedFile.safeParse(document);
  if (!head.success) {
    return fail(
      "Not a state file",
      `${location} is JSON, but has no state version. Name a state file; if it was one, restore it from a backup. The file was not changed.`,
    );
  }
  if (head.data.version < 4) {
    return fail(
      "State of an old Terraform",
      `${location} has version ${head.data.version} of the state format. Upgrade it to version 4 with ` +
        `Terraform ("terraform apply -refresh-only"), then run this again.`,
    );
  }
  if (head.data.version !== 4) {
    return fail(
      "State of a newer Terraform",
      `${location} has version ${head.data.version} of the state format; this program knows ` +
        `version 4. Update cdktf-console, or run this stack with Terraform.`,
    );
  }
  const parsed = stateFile.safeParse(document, { error: schemaMessages });
  if (!parsed.success) {
    return {
      diagnostics: [error("Unusable state file", unusable(location, parsed.error.issues))],
    };
  }
  const diagnostics = checkAddresses(parsed.data, location);
  return hasErrors(diagnostics) ? { diagnostics } : { state: parsed.data, diagnostics };
}

/**
 * Checks that two states belong to the same stack, such as a saved plan's and the backend's. A state
 * without a lineage matches any.
 */
export function checkLineage(
  expected: { readonly lineage: string; readonly location: string },
  found: { readonly lineage: string; readonly location: string },
): readonly Diagnostic[] {
  if (expected.lineage === found.lineage) return [];
  if (expected.lineage === "" || found.lineage === "") return [];
  return [
    error(
      "State of another stack",
      `${found.location} has the lineage ${found.lineage}, but ${expected.location} has ` +
        `${expected.lineage}: they do not have the same objects. Check the paths.`,
    ),
  ];
}

/** The number of invalid places to show. */
const SHOWN_PLACES = 5;

function unusable(location: string, issues: readonly z.core.$ZodIssue[]): Printed {
  const places = issues
    .slice(0, SHOWN_PLACES)
    .map(({ path, message }) => `  - ${path.join(".")}: ${message}`);
  const others = issues.length - places.length;
  if (others > 0) places.push(`  - and ${others} more`);
  return printed`${location} is not as Terraform writes it:\n\n${joined(places, "\n")}\n\n${RESTORE}`;
}

const RESTORE = "Restore it from a backup; the file was not changed.";

/** `, at line 3, column 14` */
/** Reports whether the text is the beginning of JSON. */
function endsWithin(text: string, cause: unknown): boolean {
  const position = positionOf(cause);
  return position !== undefined && position > 0 && position >= text.trimEnd().length;
}

function positionOf(cause: unknown): number | undefined {
  const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
  return position === undefined ? undefined : Number(position);
}

function place(text: string, cause: unknown): string {
  const position = positionOf(cause);
  if (position === undefined) return "";
  const lines = text.slice(0, position).split("\n");
  return `, at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

const encryptedFile = z.looseObject({ encrypted_data: z.string() });
const versionedFile = z.looseObject({ version: z.number() });

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

const outputFile = z
  .object({ value: json, type: json, sensitive: z.boolean().default(false) })
  .catchall(json)
  .transform(({ value, type, sensitive, ...unknown }): OutputState => ({
    value,
    type,
    sensitive,
    ...kept(unknown),
  }));

const instanceFile = z
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

/** Returns the text of JSON; undefined with an exact number, which has the text of an object. */
function comparableJson(json: unknown): string | undefined {
  const text = JSON.stringify(json);
  return text.includes('"isLosslessNumber"') ? undefined : text;
}

const knownAttributes = new ResultsByText<JsonObject>();

/** Returns the same attributes for equal ones: many stacks have objects that are alike. */
function alike(attributes: JsonObject): JsonObject {
  const text = comparableJson(attributes);
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
  const text = comparableJson(json);
  const known = text === undefined ? undefined : knownInstances.get(text);
  if (known) return known;
  const read = instanceFile.safeParse(json, { error: schemaMessages });
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

const stateFile = z
  .object({
    version: z.literal(4),
    terraform_version: z.string().default(""),
    serial: count.default(0),
    lineage: z.string().default(""),
    outputs: z.record(z.string(), outputFile).nullish(),
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

/** The schemas of an instance and an output, which journals use as well. */
export const storedInstance = instanceFile;
export const storedOutput = outputFile;

function kept(unknown: JsonObject): { unknown?: JsonObject } {
  return Object.keys(unknown).length > 0 ? { unknown } : {};
}

function checkAddresses(state: State, location: string): readonly Diagnostic[] {
  const seen = new Set<string>();
  return state.resources.flatMap((resource) => {
    const address = formatResourceAddress(resource);
    if (!parseAddress(address)) {
      return [error("Unusable state file", `${location} has the invalid address ${address}.`)];
    }
    return resource.instances.flatMap(({ indexKey, deposed }) => {
      const instance = formatAddress({ ...resource, key: indexKey });
      const identity = JSON.stringify([instance, deposed]);
      if (!seen.has(identity)) {
        seen.add(identity);
        return [];
      }
      return [error("Unusable state file", `${location} has ${instance} more than once.`)];
    });
  });
}
