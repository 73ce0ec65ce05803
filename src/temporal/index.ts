/**
 * Rollouts on Temporal: one run over many machines. The workflow is the rollout of `fleet`; it has a
 * separate bundle, dist/temporal/workflow.js.
 */
export { followRollout, type ListedRun, readResult, type RolloutResult, Rollouts } from "./client";
export { connectToTemporal, NAMED_BY, type Server } from "./connection";
export type { InputStack, InputUnit, RolloutInput } from "./input";
export type { Lease } from "./lease";
export { loadSdk, type Sdk, SDK_VERSION } from "./load-sdk";
export type {
  AppliedBatch,
  ApplyBatch,
  Basis,
  Decision,
  EndedWave,
  Followed,
  GateChoice,
  PlanBatch,
  PlannedBatch,
  RemoteOperation,
  RemoteStatus,
  StackOutcome,
  StackProblem,
} from "./messages";
export { isReadOnly, rolloutSchema } from "./messages";
export { type ListedSchedule, Schedules } from "./schedules";
export { type Machine, startWorker } from "./worker";
