import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { Limit } from "../../core/io/limit";
import type { UiMessage } from "../../formats/ui-stream/message";
import {
  type AppliedStack,
  type ApplyResult,
  hasChanges,
  type Pace,
  type PlanMode,
  type StackPlan,
} from "../../runtime";
import type { StackEntry } from "../../language";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { PlannedRun } from "../stacks/planned-run";
import type { OpenEngine } from "./engine";
import { EngineStack, planFileOf } from "./engine-stack";

interface Request {
  readonly mode: PlanMode;
  /** Aborted by an interrupt: no further stack starts. */
  readonly stop: AbortSignal;
  /** The file that keeps the plan of the only stack. */
  readonly out?: string;
  /** After a failure no further stack is planned, and none is applied. */
  readonly failFast: boolean;
  readonly planned: (stack: string, failed: boolean) => void;
  /** Returns errors that exclude a stack which was planned. */
  readonly judge?: (plan: StackPlan) => Promise<readonly Diagnostic[]>;
  /** Called with the messages about objects in an apply. */
  readonly event: (stack: string, message: UiMessage) => void;
}

const NOT_PLANNED = error(
  "Stack was not planned",
  "Another stack failed before, and with --fail-fast no further one is planned.",
);

type Planned = Awaited<ReturnType<EngineStack["plan"]>>;

/** Removes a plan that is refused. */
async function judged({ plan, diagnostics }: Planned, { judge }: Request): Promise<Planned> {
  const refusal = (plan && (await judge?.({ ...plan, diagnostics }))) ?? [];
  const isRefused = hasErrors(refusal);
  return { ...(plan && !isRefused && { plan }), diagnostics: [...diagnostics, ...refusal] };
}

/** Plans that Terraform or OpenTofu made of stacks which do not depend on each other. */
export class EngineSession implements PlannedRun {
  readonly problems: readonly Diagnostic[] = [];
  private readonly stacks: readonly EngineStack[];
  readonly plans: readonly StackPlan[];
  readonly excluded: readonly ExcludedStack[];
  private readonly limit = new Limit(availableParallelism());
  private readonly incomplete = new Set<string>();
  private isApplied = false;

  private constructor(
    private readonly request: Request,
    readonly ephemeralVariables: ReadonlySet<string>,
    private readonly folder: string,
    planned: ReadonlyMap<EngineStack, Planned>,
  ) {
    this.stacks = [...planned.keys()];
    this.plans = [...planned.values()].flatMap(({ plan, diagnostics }) =>
      plan ? [{ ...plan, diagnostics }] : [],
    );
    this.excluded = [...planned].flatMap(([{ entry }, { plan, diagnostics }]) =>
      plan ? [] : [{ stack: entry.name, diagnostics }],
    );
  }

  /** Plans the stacks, as many at a time as there are processors. Must be closed. */
  static async plan(
    engine: OpenEngine,
    entries: readonly StackEntry[],
    request: Request,
  ): Promise<EngineSession> {
    // Only this user can enter it.
    const folder = await mkdtemp(join(tmpdir(), "cdktf-console-"));
    const stacks = entries.map(
      (entry, index) => new EngineStack(engine, entry, request.out ?? planFileOf(folder, index)),
    );
    const limit = new Limit(availableParallelism());
    let hasFailed = false;
    const planOne = async (stack: EngineStack): Promise<Planned> => {
      if (request.stop.aborted) return { diagnostics: [] };
      if (hasFailed && request.failFast) return { diagnostics: [NOT_PLANNED] };
      const result = await judged(await stack.plan(request.mode), request);
      hasFailed ||= result.plan === undefined;
      request.planned(stack.entry.name, result.plan === undefined);
      return result;
    };
    // A stack may be on a console that those before it plan to set up.
    const plannings = new Map<string, Promise<readonly [EngineStack, Planned]>>();
    for (const stack of stacks) {
      const before = stack.entry.dependencies.flatMap((name) => plannings.get(name) ?? []);
      const planning = Promise.all(before).then(() => limit.run(() => planOne(stack)));
      plannings.set(
        stack.entry.name,
        planning.then((result) => [stack, result]),
      );
    }
    const planned = await Promise.all(plannings.values());
    return new EngineSession(request, engine.ephemeral, folder, new Map(planned));
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.plans, ...this.excluded].flatMap(({ diagnostics }) => diagnostics);
  }

  get interrupted(): boolean {
    return this.request.stop.aborted;
  }

  get applied(): boolean {
    return this.isApplied;
  }

  get applicable(): boolean {
    const isEnd = this.request.failFast && this.excluded.length > 0;
    return this.plans.length > 0 && !this.interrupted && !isEnd;
  }

  /** The stacks that were not planned, or not applied completely. */
  get failed(): ReadonlySet<string> {
    return new Set([...this.excluded.map(({ stack }) => stack), ...this.incomplete]);
  }

  awaited(): ReadonlyMap<string, ReadonlySet<string>> {
    return new Map();
  }

  async apply(pace: Pace = {}): Promise<ApplyResult> {
    this.isApplied = true;
    const { stop } = this.request;
    const known = new Map(this.stacks.map((stack) => [stack.entry.name, stack]));
    const skipped: string[] = [];
    const applied = new Map<string, AppliedStack>();
    const changed = new Map(this.plans.filter(hasChanges).map((plan) => [plan.stack, plan]));
    const order = pace.order ?? this.plans.map(({ stack }) => stack);
    const skip = (name: string) => {
      skipped.push(name);
      this.incomplete.add(name);
    };
    const applyOne = async (name: string) => {
      await pace.admit?.(name);
      const { beforeWrite, waitUntil } = pace;
      const refuse = () => {
        skip(name);
        pace.refused?.(name);
      };
      const plan = changed.get(name);
      const isPaced = plan !== undefined && known.get(name)?.isPaced(plan) === true;
      // Before the program starts: its other providers do not wait before they write.
      if (plan && !isPaced && (await beforeWrite?.(name)) === false) {
        refuse();
        return;
      }
      await this.limit.run(async () => {
        const stack = known.get(name);
        if (!stack || stop.aborted || pace.start?.(name) === false) {
          skip(name);
          return;
        }
        const refusals = new Set<string>();
        const mayWrite = async () => {
          const granted = (await beforeWrite?.(name)) !== false;
          if (!granted) refusals.add(name);
          return granted;
        };
        const event = (message: UiMessage) => {
          this.request.event(name, message);
        };
        const result = await stack.apply(event, {
          waitUntil,
          ...(isPaced && { beforeWrite: mayWrite }),
        });
        if (refusals.size > 0) {
          refuse();
          return;
        }
        if (hasErrors(result.diagnostics)) pace.failed?.(name);
        if (!result.complete) this.incomplete.add(name);
        applied.set(name, result);
        pace.ended?.(result);
      });
    };
    await Promise.all(order.map(applyOne));
    const stacks = this.plans.flatMap(({ stack }) => applied.get(stack) ?? []);
    return { stacks, skipped, interrupted: stop.aborted, diagnostics: [] };
  }

  /** Removes the plans, and releases the locks. */
  async close(): Promise<readonly Diagnostic[]> {
    await rm(this.folder, { recursive: true, force: true });
    return (await Promise.all(this.stacks.map((stack) => stack.close()))).flat();
  }
}
