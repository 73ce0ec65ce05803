import { z } from "zod";
import { ACTION_REASONS, type ResourceChange } from "../../core/documents/stack-plan";
import { attributesOf, type Providers } from "../evaluation/providers";
import { attributePathSchema, fileObject, fileValue } from "./value-codec";

const attributePaths = z.array(attributePathSchema).readonly();
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
  reason: z.enum(ACTION_REASONS).exactOptional(),
  before: fileObject.nullable(),
  after: fileObject.nullable(),
  beforeSensitive: attributePaths,
  afterSensitive: attributePaths,
  replacePaths: attributePaths,
  found: fileObject.exactOptional(),
  others: z.array(z.string()).readonly().exactOptional(),
  displaced: z.array(z.string()).readonly().exactOptional(),
  isExcerpt: z.literal(true).exactOptional(),
});

const output = z.object({
  name: z.string(),
  action: z.enum(["no-op", "create", "update", "delete"]),
  before: fileValue,
  after: fileValue,
  sensitive: z.boolean(),
});

/** The plan of a stack as JSON, without the schemas of its objects. */
export const planContent = z.object({
  mode: z.enum(["normal", "destroy", "refresh-only", "rollback"]),
  complete: z.boolean(),
  changes: z.array(change).readonly(),
  drift: z.array(change).readonly(),
  outputs: z.array(output).readonly(),
  relevantAttributes: z
    .array(z.object({ resource: z.string(), attribute: attributePathSchema }))
    .readonly(),
  endpoints: z.array(z.string()).readonly(),
  dependencies: z
    .array(z.object({ resource: z.string(), needs: z.array(z.string()).readonly() }))
    .readonly(),
});

export type PlanContent = z.output<typeof planContent>;

/** Adds the schemas of the objects: null for those of a provider that is not included. */
export function withSchemas({ changes, drift, ...content }: PlanContent, providers: Providers) {
  const complete = (found: PlanContent["changes"]): readonly ResourceChange[] =>
    found.map((one) => ({ ...one, attributes: attributesOf(one, providers) ?? null }));
  return { ...content, changes: complete(changes), drift: complete(drift) };
}
