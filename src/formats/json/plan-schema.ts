import { z } from "zod";
import type { Value } from "../../core/values";

/*
 * The parts of Terraform's JSON of a plan that a review needs, format 1.x. Numbers keep their digits
 * if the text is parsed so.
 */

/** Any JSON is a value; unknown ones are marked beside it. */
const value = z.custom<Value>().prefault(null);

const change = z.object({
  actions: z.array(z.string()),
  before: value,
  after: value,
  after_unknown: z.unknown().optional(),
  before_sensitive: z.unknown().optional(),
  after_sensitive: z.unknown().optional(),
  replace_paths: z.array(z.array(z.union([z.string(), z.number()]))).optional(),
  importing: z.object({ id: z.string().optional() }).nullish(),
});

const resourceChange = z.object({
  address: z.string(),
  previous_address: z.string().optional(),
  mode: z.enum(["managed", "data"]),
  type: z.string(),
  name: z.string(),
  index: z.union([z.string(), z.number()]).optional(),
  provider_name: z.string().prefault(""),
  deposed: z.string().optional(),
  change,
  action_reason: z.string().optional(),
});

/** Without a trigger, the command line invokes the action. */
const actionInvocation = z.object({
  address: z.string(),
  lifecycle_action_trigger: z
    .object({ triggering_resource_address: z.string(), action_trigger_event: z.string() })
    .optional(),
});

const expressions = z.record(z.string(), z.unknown());

const block = z.object({
  address: z.string(),
  provider_config_key: z.string().optional(),
  expressions: expressions.optional(),
  depends_on: z.array(z.string()).optional(),
});

const configuration = z.object({
  provider_config: z
    .record(
      z.string(),
      z.object({ full_name: z.string().optional(), expressions: expressions.optional() }),
    )
    .optional(),
  root_module: z.object({ resources: z.array(block).optional() }).optional(),
});

export const planDocumentSchema = z.object({
  format_version: z.string(),
  variables: z.record(z.string(), z.object({ value: z.unknown().optional() })).optional(),
  planned_values: z.unknown().optional(),
  resource_changes: z.array(resourceChange).optional(),
  resource_drift: z.array(resourceChange).optional(),
  deferred_changes: z.array(z.unknown()).optional(),
  action_invocations: z.array(actionInvocation).optional(),
  output_changes: z.record(z.string(), change).optional(),
  relevant_attributes: z
    .array(
      z.object({
        resource: z.string(),
        attribute: z.array(z.union([z.string(), z.number()])),
      }),
    )
    .optional(),
  configuration: configuration.optional(),
  errored: z.boolean().optional(),
  applyable: z.boolean().optional(),
});

/** The plans of several stacks by their names, as `show --json` of this program prints them. */
export const planDocuments = z.object({ stacks: z.record(z.string(), z.unknown()) });

export type PlanJson = z.output<typeof planDocumentSchema>;
export type ChangeJson = z.output<typeof change>;
export type ResourceChangeJson = z.output<typeof resourceChange>;
