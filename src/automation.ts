/**
 * Plans and applies stacks from programs, as the command line does. Entry point
 * `cdktf-console/automation`. Nothing is printed, and errors of stacks are diagnostics, not
 * exceptions.
 *
 *     app.synth();
 *     const applying = apply({ outDir: app.outdir, approve: (plans) => plans.length < 10 });
 *     for await (const event of applying) console.log(event.stack, event.type);
 *     const { applied, diagnostics } = await applying.result;
 */
import { Operation } from "./automation/operation";
import { loadOptionsOf, type RunSettings } from "./automation/settings";
import { withSession } from "./automation/with-session";
import type { Diagnostic } from "./core/diagnostics";
import { type ApplyResult, hasChanges, type PlanOptions, Session, type StackPlan } from "./runtime";

export { Operation } from "./automation/operation";
export type { RunSettings, StackSettings } from "./automation/settings";
export { countChanges, hasChanges } from "./runtime";
export type {
  ApplyResult,
  EngineEvent,
  ResourceChange,
  StackPlan,
  VariableArgument,
} from "./runtime";
export type { Diagnostic } from "./core/diagnostics";

/** Result of planning. */
export interface PlanResult {
  /** The plans of the stacks that could be planned. */
  readonly plans: readonly StackPlan[];
  /** Errors and warnings of the run and of all stacks. */
  readonly diagnostics: readonly Diagnostic[];
  /** False after errors, and if `stop` was aborted: then nothing can be applied. */
  readonly applicable: boolean;
}

/** Result of an apply or a destroy. */
export interface ApplyRunResult extends PlanResult {
  /** Undefined if nothing was applied: after errors, without changes, or without an approval. */
  readonly applied?: ApplyResult;
}

export interface ApplySettings extends RunSettings {
  /** Asked before plans with changes are applied. Default: they are applied. */
  readonly approve?: (plans: readonly StackPlan[]) => boolean | Promise<boolean>;
}

/** Plans stacks. Writes nothing. */
export function plan(settings: RunSettings & Pick<PlanOptions, "mode">): Operation<PlanResult> {
  const { mode = "normal", ...rest } = settings;
  return run(rest, { mode, operation: "plan" }, () => Promise.resolve(undefined));
}

/** Plans and applies stacks. */
export function apply(settings: ApplySettings): Operation<ApplyRunResult> {
  return applying(settings, { mode: "normal", operation: "apply" });
}

/** Destroys all objects that the stacks manage. */
export function destroy(settings: ApplySettings): Operation<ApplyRunResult> {
  return applying(settings, { mode: "destroy", operation: "destroy" });
}

type Purpose = Required<Pick<PlanOptions, "mode" | "operation">>;

function applying(
  { approve = () => true, ...settings }: ApplySettings,
  purpose: Purpose,
): Operation<ApplyRunResult> {
  return run(settings, purpose, async (session) => {
    if (!session.plans.some(hasChanges) || !(await approve(session.plans))) return undefined;
    return session.apply();
  });
}

function run(
  settings: RunSettings,
  purpose: Purpose,
  after: (session: Session) => Promise<ApplyResult | undefined>,
): Operation<ApplyRunResult> {
  return new Operation(async (observe) => {
    const diagnostics: Diagnostic[] = [];
    const options = { ...settings, ...loadOptionsOf(settings), ...purpose, observe };
    const outcome = await withSession(
      Session.plan(options),
      async (session) => {
        diagnostics.push(...session.diagnostics);
        const applicable = session.applicable && !session.interrupted;
        const applied = applicable ? await after(session) : undefined;
        if (!applied) return { plans: session.plans, applicable };
        diagnostics.push(
          ...applied.diagnostics,
          ...applied.stacks.flatMap((one) => one.diagnostics),
        );
        return { plans: session.plans, applicable, applied };
      },
      (closing) => diagnostics.push(...closing),
    );
    return { ...outcome, diagnostics };
  });
}
