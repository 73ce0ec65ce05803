import type { Attribute, Attributes } from "../provider/schema/attribute";
import type { FunctionDefinition } from "../provider/definitions/function-definition";
import {
  isComputed,
  isConfigurable,
  nestedAttributes,
  terraformType,
  type TerraformType,
} from "../provider/schema/terraform";
import { Nesting, StringKind, type SchemaAttribute } from "./wire/messages";

/** The schema of a block, as the protocol has it. */
export function encodeSchema(attributes: Attributes, version = 0, description = "") {
  return {
    version,
    block: {
      version,
      attributes: encodeAttributes(attributes),
      description,
      descriptionKind: StringKind.MARKDOWN,
    },
  };
}

export function encodeSignature(definition: FunctionDefinition) {
  return {
    summary: definition.summary,
    description: definition.description,
    descriptionKind: StringKind.MARKDOWN,
    return: { type: encodeType(definition.returns) },
    parameters: definition.parameters.map(({ name, type, description }) => ({
      name,
      type: encodeType(type),
      description,
      descriptionKind: StringKind.MARKDOWN,
    })),
  };
}

function encodeAttributes(attributes: Attributes): readonly SchemaAttribute[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...typeOf(attribute),
    description: attribute.description,
    descriptionKind: StringKind.MARKDOWN,
    required: attribute.mode === "required",
    optional: isConfigurable(attribute) && attribute.mode !== "required",
    computed: isComputed(attribute),
    sensitive: attribute.sensitive ?? false,
    writeOnly: attribute.writeOnly ?? false,
  }));
}

const NESTINGS = {
  object: Nesting.SINGLE,
  list: Nesting.LIST,
  set: Nesting.SET,
  map: Nesting.MAP,
} as const;

function typeOf({ type }: Attribute): Pick<SchemaAttribute, "type" | "nestedType"> {
  const nested = nestedAttributes(type);
  if (!nested || !(type.kind in NESTINGS)) return { type: encodeType(terraformType(type)) };
  const nesting = NESTINGS[type.kind as keyof typeof NESTINGS];
  return { nestedType: { attributes: encodeAttributes(nested), nesting } };
}

function encodeType(type: TerraformType): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}
