import type { FunctionDefinition } from "../../core/definitions/provider-definition";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import { nestedAttributes, schemaFlags } from "../../core/schema/terraform";
import { encodeType } from "../../core/type-json";
import type { Type } from "../../core/types";
import { Nesting, StringKind, type SchemaAttribute } from "../wire/messages";

interface BlockSchema {
  readonly description: string;
  readonly version?: number;
  readonly attributes: Attributes;
}

const descriptionKind = StringKind.MARKDOWN;

/** Encodes the schema of a block. */
export function encodeSchema({ attributes, description, version = 0 }: BlockSchema) {
  const block = { version, attributes: encodeAttributes(attributes), description, descriptionKind };
  return { version, block };
}

/** Encodes the schemas of several blocks by their types. */
export function encodeSchemas(blocks: readonly (BlockSchema & { readonly type: string })[]) {
  return Object.fromEntries(blocks.map((block) => [block.type, encodeSchema(block)]));
}

/** Encodes the signatures of functions by their names. */
export function encodeSignatures(functions: readonly FunctionDefinition[]) {
  return Object.fromEntries(functions.map((one) => [one.name, encodeSignature(one)]));
}

function encodeSignature({ summary, description, parameters, returns }: FunctionDefinition) {
  return {
    summary,
    description,
    descriptionKind,
    return: { type: typeBytes(returns) },
    parameters: parameters.map((one) => ({ ...one, type: typeBytes(one.type), descriptionKind })),
  };
}

function encodeAttributes(attributes: Attributes): readonly SchemaAttribute[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...encodeAttributeType(attribute),
    description: attribute.description,
    descriptionKind,
    ...schemaFlags(attribute),
  }));
}

function encodeAttributeType({ type }: Attribute): Pick<SchemaAttribute, "type" | "nestedType"> {
  const nested = nestedAttributes(type);
  if (!nested) return { type: typeBytes(type) };
  const nesting = {
    object: Nesting.SINGLE,
    list: Nesting.LIST,
    set: Nesting.SET,
    map: Nesting.MAP,
  };
  return {
    nestedType: {
      attributes: encodeAttributes(nested),
      nesting: nesting[type.kind as keyof typeof nesting],
    },
  };
}

function typeBytes(type: Type): Uint8Array {
  return Buffer.from(JSON.stringify(encodeType(type)));
}
