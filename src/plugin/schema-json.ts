import type { FunctionDefinition } from "../core/definitions/provider-definition";
import { htmlSafe } from "../core/json/html-safe-json";
import type { Provider } from "../core/provider";
import type { Attribute, Attributes } from "../core/schema/attribute";
import { nestedAttributes, schemaFlags } from "../core/schema/terraform";
import { encodeType } from "../core/type-json";
import type { Type } from "../core/types";
import { compareStrings } from "../core/values";

interface Described {
  readonly description: string;
  readonly version?: number;
  readonly attributes: Attributes;
}

/**
 * The output of `terraform providers schema -json` for this provider, in one line with its end.
 * Terraform leaves out what is empty or false, and sorts names.
 */
export function providerSchemaJson(address: string, { definition }: Provider<unknown>): string {
  const { configuration, description, resources, dataSources, ephemeralResources, functions } =
    definition;
  const document = {
    format_version: "1.0",
    provider_schemas: {
      [address]: {
        provider: schemaOf({ description, attributes: configuration }),
        resource_schemas: schemasOf(resources),
        data_source_schemas: schemasOf(dataSources),
        ephemeral_resource_schemas: schemasOf(ephemeralResources),
        functions: named(functions.map((one) => [one.name, signatureOf(one)])),
      },
    },
  };
  return `${htmlSafe(JSON.stringify(document))}\n`;
}

function schemasOf(definitions: readonly (Described & { readonly type: string })[]) {
  return named(definitions.map((one) => [one.type, schemaOf(one)]));
}

function schemaOf({ attributes, version = 0, description }: Described) {
  return {
    version,
    block: { attributes: attributesOf(attributes), ...describe(description) },
  };
}

function attributesOf(attributes: Attributes): unknown {
  return named(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      {
        ...typeOf(attribute),
        ...describe(attribute.description),
        ...flagsOf(attribute),
      },
    ]),
  );
}

const NESTING: Readonly<Record<string, string>> = { object: "single" };

function typeOf({ type }: Attribute) {
  const nested = nestedAttributes(type);
  if (!nested) return { type: typeJson(type) };
  const nesting_mode = NESTING[type.kind] ?? type.kind;
  return { nested_type: { attributes: attributesOf(nested), nesting_mode } };
}

function signatureOf({ description, summary, returns, parameters }: FunctionDefinition) {
  return {
    description,
    summary,
    return_type: typeJson(returns),
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      description: parameter.description,
      type: typeJson(parameter.type),
    })),
  };
}

function describe(description: string) {
  return { description, description_kind: "markdown" };
}

function flagsOf(attribute: Attribute) {
  const { writeOnly, ...flags } = schemaFlags(attribute);
  return Object.fromEntries(
    Object.entries({ ...flags, write_only: writeOnly }).filter(([, isSet]) => isSet),
  );
}

function named(entries: readonly (readonly [string, unknown])[]): unknown {
  if (entries.length === 0) return undefined;
  return Object.fromEntries([...entries].sort(([a], [b]) => compareStrings(a, b)));
}

function typeJson(type: Type): unknown {
  return sorted(encodeType(type));
}

/** Sorts the attributes of object types. */
function sorted(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(sorted);
  if (typeof type !== "object" || type === null) return type;
  return named(Object.entries(type).map(([name, one]) => [name, sorted(one)])) ?? {};
}
