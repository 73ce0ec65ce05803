import { z } from "zod";
import { parseJson } from "../../provider/lossless-json";
import { formatJson } from "../state/format-json";
import type { Json } from "../state/state-value";
import { readState, storedOutput } from "../state/read";
import type { OutputState, State } from "../state/state";
import { encodeOutput, formatState } from "../state/write";
import { seal } from "./seal";
import { attributePath, fileObject, fileValue } from "./values";

const attributePaths = z.array(attributePath).readonly();
const key = z.union([z.string(), z.number()]);

const change = z.object({
  address: z.string(),
  previousAddress: z.string().exactOptional(),
  importing: z.object({ id: z.string() }).exactOptional(),
  mode: z.enum(["managed", "data"]),
  type: z.string(),
  name: z.string(),
  key: key.exactOptional(),
  deposed: z.string().exactOptional(),
  provider: z.string(),
  constructPath: z.string().exactOptional(),
  endpoint: z.string().exactOptional(),
  action: z.enum([
    "no-op",
    "create",
    "read",
    "update",
    "delete",
    "delete-then-create",
    "create-then-delete",
    "forget",
  ]),
  reason: z
    .enum([
      "replace_because_tainted",
      "replace_because_cannot_update",
      "replace_by_request",
      "replace_by_triggers",
      "delete_because_no_resource_config",
      "delete_because_count_index",
      "delete_because_each_key",
      "delete_because_wrong_repetition",
      "delete_because_no_move_target",
      "read_because_config_unknown",
      "read_because_dependency_pending",
    ])
    .exactOptional(),
  before: fileObject.nullable(),
  after: fileObject.nullable(),
  beforeSensitive: attributePaths,
  afterSensitive: attributePaths,
  replacePaths: attributePaths,
  others: z.array(z.string()).readonly().exactOptional(),
  displaced: z.array(z.string()).readonly().exactOptional(),
});

const output = z.object({
  name: z.string(),
  action: z.enum(["no-op", "create", "update", "delete"]),
  before: fileValue,
  after: fileValue,
  sensitive: z.boolean(),
});

/** An output as text in the format of state files, which keeps numbers exact. */
const outputState = z.codec(z.string(), z.custom<OutputState>(), {
  decode: (text) => storedOutput.parse(parseJson(text)),
  encode: (output) => formatJson(encodeOutput(output)),
});

const state = z.codec(z.string(), z.custom<State>(), {
  decode: (text, context) => {
    const read = readState(Buffer.from(text), "the plan file");
    if (read.state) return read.state;
    context.issues.push({ code: "custom", message: "is no state", input: text });
    return z.NEVER;
  },
  encode: formatState,
});

/** The content of a plan file: decoded from JSON, and encoded to it. */
export const content = z.object({
  stack: z.object({
    name: z.string(),
    directory: z.string(),
    dependencies: z.array(z.string()).readonly(),
  }),
  configuration: z.unknown(),
  request: z.object({
    mode: z.enum(["normal", "destroy", "refresh-only"]),
    refresh: z.boolean(),
    replace: z.array(z.string()).readonly(),
    targets: z.array(z.string()).readonly(),
  }),
  variables: z.object({
    settled: z.record(z.string(), z.unknown()),
    sealed: z.record(z.string(), seal),
  }),
  basis: z.object({ lineage: z.string(), serial: z.number(), sha256: z.string() }),
  digests: z.record(z.string(), z.string()),
  data: z.record(z.string(), fileObject),
  plan: z.object({
    mode: z.enum(["normal", "destroy", "refresh-only"]),
    complete: z.boolean(),
    changes: z.array(change).readonly(),
    drift: z.array(change).readonly(),
    outputs: z.array(output).readonly(),
    relevantAttributes: z
      .array(z.object({ resource: z.string(), attribute: attributePath }))
      .readonly(),
    endpoints: z.array(z.string()).readonly(),
    dependencies: z
      .array(z.object({ resource: z.string(), needs: z.array(z.string()).readonly() }))
      .readonly(),
  }),
  shown: z.object({
    variables: z.record(z.string(), fileValue),
    outputs: z.record(z.string(), outputState),
    priorState: state,
    /** Not validated: the checksum shows that they are whole. */
    checks: z.custom<Json>(),
    schemaVersions: z.record(z.string(), z.number()),
    timestamp: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
  }),
});

export type Content = z.output<typeof content>;
