import { z } from "zod";
import { objectRecord } from "../../runtime";

/* The lines of a run log. docs/guides/run-log.md describes them; members are only added. */

/** A version of a state: lineage, serial, and a digest of its resources. */
const stateMark = z.object({ lineage: z.string(), serial: z.number(), sha256: z.string() });

const RUN_OPERATIONS = ["apply", "destroy", "rollback"] as const;
export type RunOperation = (typeof RUN_OPERATIONS)[number];

/** A run has selected its stacks. */
const runStart = z.object({
  type: z.literal("run_start"),
  "@timestamp": z.string().optional(),
  run: z.object({
    operation: z.enum(RUN_OPERATIONS),
    /** True if it goes on with the run that the log has before. */
    resumed: z.boolean(),
    stacks: z.array(z.string()),
    id: z.string().optional(),
    /** USER@HOST */
    by: z.string().optional(),
    /** The run that a rollback goes back from. */
    rolls_back: z.string().optional(),
    /** The part of the run that this record has, and the digest of its app. */
    shard: z.object({ index: z.number(), count: z.number() }).optional(),
    program: z.string().optional(),
  }),
});

/** A wave that a person started, and the name that was claimed. */
const approval = z.object({ wave: z.number(), claimed: z.string() });

/** The waves of a run, before the first one starts. */
const rollout = z.object({
  type: z.literal("rollout"),
  rollout: z.object({
    waves: z.array(
      z.object({
        stacks: z.array(z.string()),
        most: z.number().optional(),
        manual: z.boolean().optional(),
      }),
    ),
    /** Null: any number. */
    max_failures: z.number().nullable(),
    failure_mode: z.enum(["strict", "soft"]),
    /** All stacks that were selected, with the excluded ones. */
    total: z.number(),
    /** Stacks that failed before, and that this run does not have. */
    failed: z.number(),
    /** The last wave that starts without another approval. */
    until: z.number().optional(),
    approval: approval.optional(),
    /** The digests of the plans, by stack. */
    plans: z.record(z.string(), z.string()),
  }),
});

const waveStart = z.object({
  type: z.literal("wave_start"),
  wave: z.object({ number: z.number(), count: z.number(), stacks: z.number() }),
});

const stackStart = z.object({
  type: z.literal("stack_start"),
  stack: z.string(),
  /** The state before the run, and where it is; absent in `--json`, and of other engines. */
  origin: z
    .object({
      state: stateMark,
      workspace: z.string(),
      /** Its type and its block, without credentials. */
      backend: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])),
    })
    .optional(),
});

/** Something of an object that the stack changes. Only in files. */
const objectLine = z.object({
  type: z.literal("object_record"),
  stack: z.string(),
  object: objectRecord,
});

const STACK_STATUSES = ["applied", "failed", "excluded", "interrupted"] as const;

/** A value that later lines name by its digest. Only in files. */
export const contentLine = z.object({
  type: z.literal("content"),
  content: z.object({ sha256: z.string(), value: z.unknown() }),
});

/** The result of one stack. Stacks without this line were not completed, or not started. */
const stackResult = z.object({
  type: z.literal("stack_result"),
  stack: z.string(),
  result: z.object({
    status: z.enum(STACK_STATUSES),
    /** The summary of the first error. */
    reason: z.string().optional(),
    /** True for an excluded stack that is not a failure, because what it was given is wrong. */
    uncounted: z.literal(true).optional(),
    add: z.number(),
    change: z.number(),
    remove: z.number(),
    /** The state that was stored. */
    state: stateMark.optional(),
  }),
});

/** The numbers of stacks at the end of a run. A run that was killed has no such line. */
const runResult = z.object({
  type: z.literal("run_result"),
  run: z.object({
    applied: z.number(),
    failed: z.number(),
    excluded: z.number(),
    not_started: z.number(),
    interrupted: z.boolean(),
    /** The wave that starts after an approval. */
    waits_for: z.object({ wave: z.number(), count: z.number() }).optional(),
  }),
});

export const runLogEntry = z.discriminatedUnion("type", [
  runStart,
  rollout,
  waveStart,
  stackStart,
  objectLine,
  stackResult,
  runResult,
]);

export type Approval = z.infer<typeof approval>;
export type RecordedRollout = z.infer<typeof rollout>["rollout"];
export type RunResult = z.infer<typeof runResult>["run"];
export type RunLogEntry = z.infer<typeof runLogEntry>;
export type RecordedStatus = (typeof STACK_STATUSES)[number];

/** Other lines, as `--json` prints them between those of the log. */
export const otherLine = z.looseObject({
  type: z.string(),
  /** The digest of the line before it, in files. */
  previous: z.string().optional(),
});

export const ENTRY_TYPES: ReadonlySet<string> = new Set(
  runLogEntry.options.map(({ shape }) => shape.type.value),
);
