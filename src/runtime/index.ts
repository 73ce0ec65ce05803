/**
 * The embedded executor: plans and applies synthesized stacks in one process.
 *
 * ```ts
 * const session = await Session.plan({ outDir: "cdktf.out", variables, providers });
 * try {
 *   if (session.applicable) await session.apply();
 * } finally {
 *   await session.close();
 * }
 * ```
 *
 * `validate` checks a configuration alone. Nothing here prints: plans, results and diagnostics
 * are values, and `observe` is called for events.
 */
export { Session, type ApplyResult, type ResumeOptions, type StackOrigin } from "./session";
export type { AppliedStack, Pace } from "./apply/pace";
export type { PlanOptions } from "./plan/open-stacks";
export { markOf } from "../backends";
export { whoRuns } from "../backends";
export { encodeObjectRecord, objectRecord } from "../backends";
export { isSavedPlan, isTerraformPlan } from "./saved-plan/file";
export type { SavedPlan, SavedPlans } from "./saved-plan/save";
export { decodeSharedPlan, encodeSharedPlan } from "./saved-plan/shared-plan";
export {
  importObject,
  type ImportOptions,
  type ImportResult,
  refusalAmong,
} from "./import/import-object";
export { validate, type Loaded, type LoadOptions } from "./validation/load";
export { StackExpressions } from "./stack-expressions";
export { resourceGraphs } from "./plan/resource-graph";
export type { VariableArgument, VariableInputs } from "../language";
export type { Providers } from "./evaluation/providers";
export type { EngineEvent, Observer } from "../core/documents/events";
export * from "../core/documents/stack-plan";
export { runCommand } from "./provisioners/run-command";
export { dependentsLeft } from "./validation/dependents-left";
export { sharedStates } from "./validation/shared-states";
