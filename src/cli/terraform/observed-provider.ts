import type { Diagnostic } from "../../core/diagnostics";
import type { State } from "../../core/documents/state";
import {
  refused,
  type ApplyRequest,
  type CallContext,
  type PlannedObject,
  type PlanRequest,
} from "../../core/operations/run-operation";
import { Provider } from "../../core/provider";
import { valuesEqual, type ObjectValue } from "../../core/values";
import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { refusalAmong } from "../../runtime";

export type ApplyPace = Pick<ApplyRequest<unknown>, "beforeWrite" | "waitUntil">;

/** The state that an import adds an object to, and the alias of the object's provider. */
export interface ImportTarget {
  readonly state: State;
  readonly alias: string | undefined;
}

/** Data that the provider read for the plan of one object. Terraform's JSON of a plan lacks it. */
interface Reading {
  readonly type: string;
  /** The console. */
  readonly endpoint: string | undefined;
  readonly prior: ObjectValue | null;
  readonly found: ObjectValue | undefined;
  readonly others: readonly string[] | undefined;
  readonly displaced: readonly string[] | undefined;
}

/** A provider that keeps what it read for plans, so that reviews of Terraform's plans have it. */
export class ObservedProvider extends Provider<unknown> {
  private readonly readings: Reading[] = [];
  private readonly warnings: Diagnostic[] = [];
  private readonly connections: unknown[] = [];
  /** The pace of the run's apply, which Terraform does not know. */
  pace: ApplyPace = {};
  /** Terraform shows the provider of an import no other object. */
  target: ImportTarget | undefined;

  /**
   * Keeps a connection that Terraform has closed until the run ends: what it plans to set up matters for
   * the plans of later stacks.
   */
  override close(connection: unknown): Promise<void> {
    this.connections.push(connection);
    return Promise.resolve();
  }

  /** Closes the connections. */
  async end(): Promise<void> {
    await Promise.all(this.connections.splice(0).map((connection) => super.close(connection)));
  }

  override validateResource(type: string, config: ObjectValue, connection?: unknown) {
    const diagnostics = super.validateResource(type, config, connection);
    this.warnings.push(...diagnostics.filter(({ isFinding }) => isFinding));
    return diagnostics;
  }

  override async plan(type: string, request: PlanRequest<unknown>): Promise<PlannedObject> {
    const plan = await super.plan(type, request);
    const { connection, prior, private: privateState } = request;
    if (connection === undefined) return plan;
    const destroyed = prior && { state: prior, private: privateState };
    this.readings.push({
      type,
      endpoint: this.definition.endpoint?.(connection),
      prior,
      found: this.found(type, connection, destroyed),
      others: prior ? this.others(type, privateState) : undefined,
      displaced: plan.displaced,
    });
    return plan;
  }

  override apply(type: string, request: ApplyRequest<unknown>) {
    return super.apply(type, { ...request, ...this.pace });
  }

  override import(type: string, id: string, request: CallContext<unknown>) {
    const { connection } = request;
    const { state, alias } = this.target ?? {};
    const refusal = state && refusalAmong(state, { provider: this, connection }, alias);
    return refusal ? Promise.resolve(refused(refusal)) : super.import(type, id, request);
  }

  /** Adds what was read to the changes that Terraform made a plan of with this provider. */
  complete(plan: StackPlan): StackPlan {
    return {
      ...plan,
      changes: plan.changes.map((change) => this.completeChange(change, change.before)),
      drift: plan.drift.map((change) => this.completeChange(change, change.after)),
    };
  }

  /** Restores the findings of this provider in Terraform's output, for `--strict`. */
  restore(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    return diagnostics.map((printed) => {
      const { severity, summary, detail, address } = printed;
      // The plugin protocol has no mark for them, and puts the path of an attribute into the detail.
      const finding = this.warnings.find(
        (one) => severity === "warning" && one.summary === summary && detail.includes(one.detail),
      );
      return finding ? { ...finding, ...(address !== undefined && { address }) } : printed;
    });
  }

  private completeChange(change: ResourceChange, prior: ObjectValue | null): ResourceChange {
    const { type, endpoint, isExcerpt, ...rest } = change;
    // The last plan of an object counts: Terraform plans a replacement twice.
    const reading = this.readings.findLast(
      (one) =>
        one.type === type &&
        (endpoint === undefined || one.endpoint === endpoint) &&
        (prior === null || one.prior === null
          ? prior === one.prior
          : valuesEqual(one.prior, prior)),
    );
    if (!isExcerpt || !reading) return change;
    const { found, others, displaced } = reading;
    // Terraform's JSON lacks an address that comes from the environment.
    const address = endpoint ?? reading.endpoint;
    return {
      ...rest,
      type,
      ...(address !== undefined && { endpoint: address }),
      ...(found && { found }),
      ...(others && { others }),
      ...(displaced && { displaced }),
    };
  }
}
