import { z } from "zod";

/*
 * The format of `status --json`. `docs/status.schema.json` is generated from it. Later versions add
 * members only.
 */

/** The kinds of findings, the worst first. */
export const FINDING_KINDS = [
  "unread",
  "license",
  "expiry",
  "weaker",
  "contract",
  "unmanaged",
  "waiver",
  "drift",
  "pending",
  "release",
  "lock",
  "undecided",
  "failing",
] as const;

const finding = z
  .object({
    kind: z.enum(FINDING_KINDS),
    text: z.string(),
    stacks: z.array(z.string()).describe("The stacks that have it; empty for one of the contract."),
  })
  .meta({ id: "finding" });

const lock = z
  .object({
    id: z.string(),
    operation: z.string(),
    who: z.string(),
    created: z.string(),
  })
  .meta({ id: "lock" });

const stack = z
  .object({
    name: z.string(),
    consoles: z.array(z.string()),
    labels: z.record(z.string(), z.string()),
    worst: z.enum(FINDING_KINDS).nullable().describe("The worst finding; null: none."),
    last_apply: z.string().nullable().describe("The time of the last write of the state."),
    lock: lock.nullable(),
    running: z.int().optional().describe("Running containers, if they were read."),
  })
  .meta({ id: "stack" });

export const statusSchema = z.object({
  format_version: z.string(),
  type: z.literal("cdktf-console status"),
  created_at: z.string(),
  within_days: z.int(),
  exit_code: z
    .int()
    .describe(
      "3: protection is weaker than declared, or a contract is violated; else 1: a console cannot be read; else 2: something else needs a person; else 0.",
    ),
  total: z.int(),
  quiet: z.int().describe("Stacks without a finding."),
  counts: z
    .partialRecord(z.enum(FINDING_KINDS), z.int())
    .describe("The number of stacks with each kind of finding; of waivers, their number."),
  findings: z.array(finding).describe("Alike findings together, the worst first."),
  stacks: z.array(stack),
});

export type StatusDocument = z.infer<typeof statusSchema>;
export type FindingKind = (typeof FINDING_KINDS)[number];
export type FindingGroup = z.infer<typeof finding>;
