import { cwpProvider } from "../../../src/provider/cwp-provider";
import type { Console } from "../../../src/provider/console/connection";
import type { PrivateState } from "../../../src/core/private-state";
import { hasErrors, type Diagnostic } from "../../../src/core/diagnostics";
import type { PlannedObject, OperationResult } from "../../../src/core/operations/run-operation";
import { refereePlan, refereeResult } from "../../../src/core/planning/referee";
import { Provider } from "../../../src/core/provider";
import type { Attributes, Kind } from "../../../src/core/schema/attribute";
import {
  UNKNOWN,
  canonicalSet,
  isListValue,
  isObjectValue,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../../src/core/values";

export const provider = new Provider(cwpProvider);

/** Completes a configuration, as engines do. */
export function complete(attributes: Attributes, config: ObjectValue): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type }]) => [
      name,
      completeValue(type, config[name] ?? null),
    ]),
  );
}

function completeValue(kind: Kind, value: Value): Value {
  if (kind.kind === "object")
    return isObjectValue(value) ? complete(kind.attributes, value) : value;
  if (!("element" in kind)) return value;
  if (isListValue(value)) {
    const elements = value.map((element) => completeValue(kind.element, element));
    return kind.kind === "set" ? canonicalSet(elements) : elements;
  }
  if (!isObjectValue(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [key, completeValue(kind.element, element)]),
  );
}

export interface Stored {
  readonly state: ObjectValue;
  readonly private: PrivateState;
}

export interface EngineOptions {
  readonly signal?: AbortSignal;
  /** Called at every checkpoint. May throw, as a journal on a full disk. */
  readonly onCheckpoint?: (point: Stored) => void;
  /** Asked before the first effect of an apply. */
  readonly beforeWrite?: () => boolean;
  /** Stores nothing during an apply, as Terraform. */
  readonly hasNoJournal?: boolean;
}

/**
 * An engine for one resource. It refreshes, plans and applies, checks plans and results by the
 * referee, and keeps state and private state as JSON, as a state file does.
 */
export class Engine {
  stored: Stored | undefined;
  readonly attributes: Attributes;
  /** Everything that is shown to users or stored. */
  readonly seen: unknown[] = [];
  readonly progress: string[] = [];

  constructor(
    readonly connection: Console,
    readonly type: string,
    private readonly options: EngineOptions = {},
  ) {
    const schema = provider.resourceAttributes(type);
    if (!schema) throw new Error(`no type ${type}`);
    this.attributes = schema.attributes;
  }

  get state(): ObjectValue | undefined {
    return this.stored?.state;
  }

  private get context() {
    const { connection } = this;
    const signal = this.options.signal ?? new AbortController().signal;
    return { connection, signal, progress: (line: string) => void this.progress.push(line) };
  }

  validate(config: ObjectValue): readonly Diagnostic[] {
    return provider.validateResource(this.type, complete(this.attributes, config), this.connection);
  }

  async refresh(): Promise<readonly Diagnostic[]> {
    if (!this.stored) return [];
    const reached = await provider.read(this.type, { ...this.context, ...this.stored });
    this.keep(reached);
    return reached.diagnostics;
  }

  /** Plans without a refresh, and checks the plan by the referee. */
  async plan(config: ObjectValue | null): Promise<PlannedObject> {
    const complet = config && complete(this.attributes, config);
    const prior = this.state ?? null;
    const plan = await provider.plan(this.type, {
      ...this.context,
      prior,
      config: complet,
      private: this.stored?.private ?? {},
    });
    this.seen.push(visible(plan));
    if (complet && plan.planned && !hasErrors(plan.diagnostics)) {
      expect(refereePlan(this.attributes, prior, complet, plan.planned)).toEqual([]);
    }
    return plan;
  }

  /** Applies a plan, with a replacement if it requires one. */
  async applyPlan(config: ObjectValue | null, plan: PlannedObject): Promise<readonly Diagnostic[]> {
    if (plan.requiresReplace.length > 0) {
      const destroyed = await this.run(null, null);
      if (hasErrors(destroyed)) return destroyed;
      // The new object has a separate plan.
      const anew = await this.plan(config);
      if (hasErrors(anew.diagnostics)) return anew.diagnostics;
      return [...destroyed, ...(await this.run(config, anew.planned))];
    }
    return this.run(config, plan.planned);
  }

  private async run(
    config: ObjectValue | null,
    planned: ObjectValue | null,
  ): Promise<readonly Diagnostic[]> {
    const reached = await provider.apply(this.type, {
      ...this.context,
      // Each run has its own connection.
      connection: { ...this.connection },
      prior: this.state ?? null,
      planned,
      config: config && complete(this.attributes, config),
      private: this.stored?.private ?? {},
      record: (entry) => Promise.resolve(void this.seen.push(visible(entry))),
      ...(this.options.beforeWrite && { beforeWrite: this.options.beforeWrite }),
      ...(!this.options.hasNoJournal && {
        checkpoint: (point) => {
          this.seen.push(visible(point));
          this.options.onCheckpoint?.(point);
          return Promise.resolve();
        },
      }),
    });
    if (!hasErrors(reached.diagnostics)) {
      expect(refereeResult(planned, reached.state)).toEqual([]);
    }
    this.keep(reached);
    return reached.diagnostics;
  }

  /** Refreshes, plans and applies. Stops at errors, and returns all diagnostics. */
  async apply(config: ObjectValue | null): Promise<readonly Diagnostic[]> {
    const refreshed = await this.refresh();
    if (hasErrors(refreshed)) return refreshed;
    const plan = await this.plan(config);
    if (hasErrors(plan.diagnostics)) return plan.diagnostics;
    return [...refreshed, ...plan.diagnostics, ...(await this.applyPlan(config, plan))];
  }

  /** Applies and expects no error. */
  async applied(config: ObjectValue | null): Promise<this> {
    expect((await this.apply(config)).filter(({ severity }) => severity === "error")).toEqual([]);
    return this;
  }

  /** Returns true if a refresh and a plan find neither changes nor diagnostics, except of releases. */
  async isConverged(config: ObjectValue): Promise<boolean> {
    await this.refresh();
    const { planned, diagnostics } = await this.plan(config);
    expect(diagnostics.filter(({ summary }) => !/\(section 9\.[\d.]+\)$/.test(summary))).toEqual(
      [],
    );
    return valuesEqual(planned, this.state ?? null);
  }

  async import(id: string): Promise<readonly Diagnostic[]> {
    const reached = await provider.import(this.type, id, this.context);
    this.keep(reached);
    return reached.diagnostics;
  }

  private keep(reached: OperationResult): void {
    this.seen.push(visible(reached));
    const { state } = reached;
    this.stored = state ? thaw(freeze({ state, private: reached.private })) : undefined;
  }
}

/** Serializes an object as a state file does. */
function freeze(stored: Stored): string {
  return JSON.stringify(stored, (_, value: unknown) => {
    if (value === UNKNOWN) throw new Error("an unknown value in state");
    return value;
  });
}

function thaw(text: string): Stored {
  return JSON.parse(text) as Stored;
}

function visible(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) => (member === UNKNOWN ? "(unknown)" : member)),
  );
}

export function summaries(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ summary }) => summary);
}

export function errorsOf(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}
