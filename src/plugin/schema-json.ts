import type { FunctionDefinition } from "../provider/definitions/function-definition";
import { htmlSafe } from "../provider/html-safe-json";
import type { Provider } from "../provider/provider";
import type { Attribute, Attributes } from "../provider/schema/attribute";
import {
  isComputed,
  isConfigurable,
  nestedAttributes,
  terraformType,
} from "../provider/schema/terraform";
import { compareStrings } from "../provider/values";

/*
 * What `terraform providers schema -json` prints of a provider, in its order: Terraform leaves out
 * what is empty or false, and sorts names.
 */

interface Described {
  readonly type: string;
  readonly description: string;
  readonly version?: number;
  readonly attributes: Attributes;
}

/** The document with this one provider, by its address, in one line with its end. */
export function providerSchemaJson(address: string, { definition }: Provider<unknown>): string {
  const { configuration, description, resources, dataSources } = definition;
  const { ephemeralResources = [], functions = [] } = definition;
  const document = {
    format_version: "1.0",
    provider_schemas: {
      [address]: {
        provider: schemaOf({ type: "", description, attributes: configuration }),
        resource_schemas: schemasOf(resources),
        data_source_schemas: schemasOf(dataSources),
        ephemeral_resource_schemas: schemasOf(ephemeralResources),
        functions: named(functions.map((one) => [one.name, signatureOf(one)])),
      },
    },
  };
  return `${htmlSafe(JSON.stringify(document))}\n`;
}

function schemasOf(definitions: readonly Described[]) {
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
        ...set("required", attribute.mode === "required"),
        ...set("optional", isConfigurable(attribute) && attribute.mode !== "required"),
        ...set("computed", isComputed(attribute)),
        ...set("sensitive", attribute.sensitive ?? false),
        ...set("write_only", attribute.writeOnly ?? false),
      },
    ]),
  );
}

const NESTING: Readonly<Record<string, string>> = { object: "single" };

function typeOf({ type }: Attribute) {
  const nested = nestedAttributes(type);
  if (!nested) return { type: sorted(terraformType(type)) };
  const nesting_mode = NESTING[type.kind] ?? type.kind;
  return { nested_type: { attributes: attributesOf(nested), nesting_mode } };
}

function signatureOf({ description, summary, returns, parameters }: FunctionDefinition) {
  return {
    description,
    summary,
    return_type: sorted(returns),
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      description: parameter.description,
      type: sorted(parameter.type),
    })),
  };
}

function describe(description: string) {
  return { description, description_kind: "markdown" };
}

function set(flag: string, on: boolean): Readonly<Record<string, true>> {
  return on ? { [flag]: true } : {};
}

function named(entries: readonly (readonly [string, unknown])[]): unknown {
  if (entries.length === 0) return undefined;
  return Object.fromEntries([...entries].sort(([a], [b]) => compareStrings(a, b)));
}

/** The same with the attributes of objects by name. */
function sorted(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(sorted);
  if (typeof type !== "object" || type === null) return type;
  return named(Object.entries(type).map(([name, one]) => [name, sorted(one)])) ?? {};
}
