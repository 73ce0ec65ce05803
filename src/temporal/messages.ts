import { z } from "zod";
import type { Share } from "../fleet/rollout/share";
import { STATUSES } from "./names";

/*
 * Messages that Temporal stores: names, digests, counts and what reviews show. Never a plan file, a state,
 * a secret or a command: whoever reads a history reads nothing that an apply keeps from a log.
 */

const counts = { add: z.number(), change: z.number(), remove: z.number() };

const operation = z.enum(["status", "plan", "apply", "destroy", "rollback"]);
export type RemoteOperation = z.infer<typeof operation>;

/** Reports whether an operation ends when all stacks were read. */
export function isReadOnly(operation: RemoteOperation): operation is "status" | "plan" {
  return operation === "status" || operation === "plan";
}

/** The digests of the app and of the contract. A worker that has others refuses. */
const basis = z.object({ program: z.string(), contract: z.string() });
export type Basis = z.infer<typeof basis>;

/** The options of the gate that the one who starts a run has given. */
const gate = z.object({
  failOn: z.literal("weaker").optional(),
  allowWeaker: z.array(z.string()).optional(),
  allowUnknown: z.boolean().optional(),
});
export type GateChoice = z.infer<typeof gate>;

const about = {
  runId: z.string(),
  operation,
  basis,
  gate,
  stacks: z.array(z.string()),
  /** The run that a rollback goes back from. */
  rollsBack: z.string().optional(),
  /** Grows with each planning and apply of a stack by the run: a later one takes over its locks. */
  round: z.number(),
};

/** Stacks to plan by one worker. */
export const planBatch = z.object(about);
export type PlanBatch = z.infer<typeof planBatch>;

/** Stacks to apply, with the digests of the plans that were approved. */
export const applyBatch = z.object({ ...about, digests: z.record(z.string(), z.string()) });
export type ApplyBatch = z.infer<typeof applyBatch>;

/** A wave that has ended, for the check of a worker. */
export const endedWave = z.object({
  runId: z.string(),
  wave: z.number(),
  count: z.number(),
  /** Those of the queue. */
  stacks: z.array(z.string()),
});
export type EndedWave = z.infer<typeof endedWave>;

/** A diagnostic of stacks that were applied. */
const stackProblem = z.object({
  severity: z.enum(["error", "warning"]),
  summary: z.string(),
  detail: z.string(),
  stacks: z.array(z.string()),
});
export type StackProblem = z.infer<typeof stackProblem>;

/** The result of planning a batch. */
export interface PlannedBatch {
  readonly stacks: readonly PlannedStack[];
  readonly excluded: readonly ExclusionReason[];
  /** The part of the review, encoded. */
  readonly review?: string;
  /** The exit code of the gate, if it refuses the plans. */
  readonly refusal?: number;
}

export interface ExclusionReason {
  readonly stack: string;
  readonly reason: string;
  /** Set if what the run was given for the stack is wrong or missing. */
  readonly isInput?: true;
}

export interface PlannedStack {
  readonly stack: string;
  readonly digest: string;
  /** False if nothing is to be applied. */
  readonly changed: boolean;
  readonly add: number;
  readonly change: number;
  readonly remove: number;
}

/** The result of one stack. */
const stackOutcome = z.object({
  stack: z.string(),
  status: z
    .enum(STATUSES)
    .describe("changed: its plan is another one than was approved; nothing was applied."),
  reason: z.string().optional().describe("The summary of the first error."),
  uncounted: z
    .literal(true)
    .exactOptional()
    .describe("An excluded stack that does not count for --max-failures."),
  ...counts,
});
export type StackOutcome = z.infer<typeof stackOutcome>;

export interface AppliedBatch {
  readonly stacks: readonly StackOutcome[];
  readonly problems: readonly StackProblem[];
}

/** The step that a run waits for an answer about. */
const question = z.object({
  wave: z.number(),
  count: z.number(),
  stacks: z.number(),
  changed: z.number(),
});
export type Question = z.infer<typeof question>;

const PHASES = ["planning", "waiting", "applying", "ended"] as const;

/** The progress of a run. */
const status = z.object({
  operation,
  /** USER@HOST of who has started it, and when, in ISO 8601. */
  by: z.string(),
  started_at: z.string(),
  rolls_back: z.string().optional(),
  queue_by: z.string(),
  phase: z.enum(PHASES),
  question: question.optional(),
  paused: z.boolean(),
  stopping: z.boolean(),
  wave: z.number(),
  waves: z.array(z.number()),
  total: z.number(),
  planned: z.number(),
  changed: z.number(),
  applied: z.number(),
  failed: z.number(),
  excluded: z.number(),
  running: z.number(),
  allowed_failures: z.number().nullable().describe("null: any number."),
  parallelism: z
    .number()
    .nullable()
    .describe("Stacks that may change something at a time. null: any number."),
  to: z.object(counts).describe("The changes of all plans."),
  ...counts,
  reviews: z.number().describe("The number of parts that the review has so far."),
  code: z.number().optional().describe("The exit code, at the end."),
});
export type RemoteStatus = z.infer<typeof status>;

/** Something that has happened in a run, in order. */
const news = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("planned"), stacks: z.array(z.string()) }),
  z.object({ kind: z.literal("wave"), wave: z.number(), stacks: z.array(z.string()) }),
  z.object({ kind: z.literal("started"), stacks: z.array(z.string()) }),
  z.object({ kind: z.literal("ended"), outcome: stackOutcome }),
  z.object({ kind: z.literal("problem"), problem: stackProblem }),
  z.object({ kind: z.literal("decided"), decision: z.string(), by: z.string() }),
]);
export type News = z.infer<typeof news>;

/** The ID of the earlier execution of the workflow that has what was asked for. */
const earlier = z.string().optional();

/** The answer to the query `follow`: news from a number on. */
export const followed = z.object({ status, news: z.array(news), next: z.number(), earlier });
export type Followed = z.infer<typeof followed>;

/** The answer to the query `review`: parts of it from a number on. `next` is absent after the last. */
export const reviewPage = z.object({
  parts: z.array(z.string()),
  next: z.number().optional(),
  earlier,
});
export type ReviewPage = z.infer<typeof reviewPage>;

/** The answer to the query `result`: outcomes from a number on. */
export const resultPage = z.object({
  stacks: z.array(stackOutcome),
  next: z.number().optional(),
});
export type ResultPage = z.infer<typeof resultPage>;

/*
 * The format of `rollout show --json`. `docs/rollout.schema.json` is generated from it. Later versions
 * add members only.
 */
export const rolloutSchema = status
  .extend({
    format_version: z.literal("1.0"),
    id: z.string(),
    stacks: z.array(stackOutcome).describe("The stacks that have a result so far."),
    report: z
      .looseObject({})
      .optional()
      .describe("The document of `status --json`, of a status that has ended."),
  })
  .describe("A run on Temporal.");

/** A decision of a person about a run. */
export type Decision = { readonly by: string } & (
  | { readonly kind: "approve" | "reject"; readonly wave: number }
  | { readonly kind: "stop" | "pause" | "continue" }
  | { readonly kind: "set"; readonly maxFailures?: Share; readonly parallelism?: number }
);
