import {
  bool,
  bytes,
  field,
  int64,
  lazy,
  map,
  message,
  optional,
  repeated,
  string,
  type Message,
  type MessageIn,
} from "./message";

/*
 * The messages that several calls of Terraform's plugin protocol, version 6.8, use. Other messages
 * are in the file of their handler. Members that this provider neither reads nor sets are left out.
 */

export const empty = message({});

/** A value: one of the two. */
export const dynamicValue = message({
  msgpack: field(1, bytes),
  json: field(2, bytes),
});

export const DiagnosticSeverity = { ERROR: 1, WARNING: 2 } as const;

/** A step is one of the three. */
export const attributePath = message({
  steps: repeated(
    1,
    message({
      attributeName: optional(1, string),
      elementKeyString: optional(2, string),
      elementKeyInt: optional(3, int64),
    }),
  ),
});

export const diagnostic = message({
  severity: field(1, int64),
  summary: field(2, string),
  detail: field(3, string),
  attribute: optional(4, attributePath),
});

/** The response of calls that only check or end something. */
export const diagnosticsOnly = message({ diagnostics: repeated(1, diagnostic) });

/** The request of calls on one configuration block. */
export const configuredBlock = message({
  typeName: field(1, string),
  config: optional(2, dynamicValue),
});

export const functionError = message({
  text: field(1, string),
  functionArgument: optional(2, int64),
});

export const rawState = message({
  json: field(1, bytes),
  /** States of Terraform 0.11 and older. */
  flatmap: map(2, string),
});

export const serverCapabilities = message({
  planDestroy: field(1, bool),
  getProviderSchemaOptional: field(2, bool),
  moveResourceState: field(3, bool),
});

export const clientCapabilities = message({
  deferralAllowed: field(1, bool),
  writeOnlyAttributesAllowed: field(2, bool),
});

export const timestamp = message({
  seconds: field(1, int64),
  nanos: field(2, int64),
});

export function encodeTimestamp(moment: Date | undefined) {
  if (!moment) return undefined;
  const milliseconds = moment.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}

export const StringKind = { PLAIN: 0, MARKDOWN: 1 } as const;
export const Nesting = { SINGLE: 1, LIST: 2, SET: 3, MAP: 4 } as const;

const attributeFields = {
  name: field(1, string),
  /** The type constraint as JSON; absent where there is a `nestedType`. */
  type: field(2, bytes),
  description: field(3, string),
  required: field(4, bool),
  optional: field(5, bool),
  computed: field(6, bool),
  sensitive: field(7, bool),
  descriptionKind: field(8, int64),
  writeOnly: field(11, bool),
};

/** A message that contains itself, so its type cannot be derived from the codec. */
export interface SchemaAttribute extends MessageIn<typeof attributeFields> {
  readonly nestedType?: SchemaObject | undefined;
}

interface SchemaObject {
  readonly attributes?: readonly SchemaAttribute[] | undefined;
  readonly nesting?: number | undefined;
}

export const schemaAttribute: Message<SchemaAttribute> = message({
  ...attributeFields,
  nestedType: optional(
    10,
    lazy(() => schemaObject),
  ),
});

const schemaObject: Message<SchemaObject> = message({
  attributes: repeated(1, schemaAttribute),
  nesting: field(3, int64),
});

export const schema = message({
  version: field(1, int64),
  block: optional(
    2,
    message({
      version: field(1, int64),
      attributes: repeated(2, schemaAttribute),
      description: field(4, string),
      descriptionKind: field(5, int64),
    }),
  ),
});

export const functionSignature = message({
  parameters: repeated(
    1,
    message({
      name: field(1, string),
      type: field(2, bytes),
      description: field(5, string),
      descriptionKind: field(6, int64),
    }),
  ),
  return: optional(3, message({ type: field(1, bytes) })),
  summary: field(4, string),
  description: field(5, string),
  descriptionKind: field(6, int64),
});
