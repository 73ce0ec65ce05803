import { z } from "zod";

/*
 * The format of protection.yaml. `docs/protection.schema.json` is generated from it.
 */

const pattern = z
  .string()
  .refine((text) => text !== "" && text !== "-", { error: "must be a pattern with a text" });

const patterns = z.array(pattern).min(1);

const scope = z
  .strictObject({
    images: patterns,
    containers: patterns,
    namespaces: patterns,
    hosts: patterns,
    labels: patterns,
    account_ids: patterns,
  })
  .partial()
  .refine((fields) => Object.keys(fields).length > 0, { error: "must have a field" })
  .describe("Patterns of workloads, as policies have them; a field that is left out is everything.")
  .meta({ id: "scope" });

const scopes = z.union([scope, z.array(scope).min(1)]);

/** The workloads that a clause is about. */
const workloads = {
  where: scopes
    .optional()
    .describe(
      "The workloads that it is about: those of a scope, or of each scope of a list. Default: all.",
    ),
  unless: z
    .array(scope)
    .min(1)
    .optional()
    .describe("Workloads that it is not about: those of any of these scopes."),
};

const text = z.string().trim().min(1);

const checkId = z.string().regex(/^[1-9]\d{0,14}$/, "must be the ID of a check, such as 599");

const selection = {
  stacks: z
    .array(text)
    .min(1)
    .optional()
    .describe("Names and patterns of stacks, such as tenant-*. Default: all stacks."),
  labels: z
    .record(z.string(), z.string())
    .optional()
    .describe("Labels that a stack must have, all of them. A value can be a pattern."),
};

const requirement = z
  .strictObject({
    name: text.describe("Shown where it is violated; unique."),
    ...workloads,
    checks: z
      .record(checkId, z.enum(["block", "alert"]))
      .refine((checks) => Object.keys(checks).length > 0, { error: "must have a check" })
      .describe("What checks have to do at least, by ID."),
    ...selection,
  })
  .meta({ id: "requirement" });

const baseline = z
  .strictObject({
    policies: z
      .union([text, z.array(z.unknown()).min(1)])
      .describe(
        "A JSON file of policies, relative to this file, or a list of policies: as a console exports them, as cwp_compliance_policy_set or as a CompliancePolicySet has them.",
      ),
    ...selection,
  })
  .describe("Policies that stacks have to protect as much as, by effect.")
  .meta({ id: "baseline" });

const FROM_TO = "must be an object such as { from: block, to: alert }";

const waiver = z
  .strictObject({
    ...workloads,
    checks: z
      .record(
        checkId,
        z.strictObject(
          { from: z.enum(["block", "alert"]), to: z.enum(["alert", "none"]) },
          { error: ({ code }) => (code === "invalid_type" ? FROM_TO : undefined) },
        ),
      )
      .refine((checks) => Object.keys(checks).length > 0, { error: "must have a check" })
      .describe("How far checks may get weaker, by ID. none: not checked."),
    ...selection,
    owner: text.describe("Who answers for it, such as an address."),
    reason: text,
    expires: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "must be a date such as 2027-03-01", abort: true })
      .refine(isDate, { error: "must be a date that the calendar has" })
      .describe("The last day on which it is valid, in UTC."),
  })
  .meta({ id: "waiver" });

export const contractSchema = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    require: z.array(requirement).default([]),
    baseline: z.array(baseline).default([]),
    waivers: z.array(waiver).default([]),
    check_titles: z
      .record(checkId, text)
      .default({})
      .describe("Titles of checks by ID, shown with them."),
  })
  .describe("What has to be protected, whatever a plan changes.");

/** The names of all arguments of a contract. */
export const CONTRACT_ARGUMENTS = [contractSchema, requirement, baseline, waiver, scope].flatMap(
  (one) => Object.keys(one.shape),
);

export type ContractDocument = z.infer<typeof contractSchema>;

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
