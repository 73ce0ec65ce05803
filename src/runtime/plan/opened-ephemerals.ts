import type { Diagnostic } from "../../core/diagnostics";
import type { PrivateState } from "../../core/private-state";
import type { Provider } from "../../core/provider";
import type { Location } from "../../language";
import type { MarkedObject } from "../evaluation/conform";
import { answered } from "../evaluation/provider-diagnostics";
import type { EngineEvent } from "../../core/documents/events";
import { world, type Timer } from "../../core/io/world";

/** An open ephemeral resource. */
export interface OpenedEphemeral {
  readonly provider: Provider<unknown>;
  readonly type: string;
  readonly where: Location;
  readonly configured: MarkedObject;
  readonly connection: unknown;
  readonly signal: AbortSignal;
  readonly private: PrivateState;
  readonly renewAt: Date | undefined;
  /** Reports a step to observers. */
  readonly report: (step: EphemeralStep) => void;
}

export type EphemeralStep = Pick<Extract<EngineEvent, { type: "ephemeral_op_start" }>, "action"> &
  (
    | { readonly type: "ephemeral_op_start" }
    | {
        readonly type: "ephemeral_op_complete" | "ephemeral_op_errored";
        readonly elapsedMs: number;
      }
  );

/** The open ephemeral resources of a run. They are renewed in time, and closed at the end. */
export class OpenedEphemerals {
  private readonly opened = new Set<{ current: OpenedEphemeral; timer?: Timer }>();
  private readonly deferred = new Set<string>();
  private readonly problems: Diagnostic[] = [];

  add(ephemeral: OpenedEphemeral): void {
    const entry = { current: ephemeral };
    this.opened.add(entry);
    this.schedule(entry);
  }

  /** Records that the block cannot be opened before the apply. */
  defer(address: string): void {
    this.deferred.add(address);
  }

  isDeferred(address: string): boolean {
    return this.deferred.has(address);
  }

  /** Closes all. Returns also the errors of renewals. */
  async close(): Promise<readonly Diagnostic[]> {
    const entries = [...this.opened];
    this.opened.clear();
    for (const { timer } of entries) timer?.cancel();
    const closed = await Promise.all(
      entries.map(async ({ current }) => {
        const { provider, type, where, configured, connection, signal } = current;
        const done = begin(current, "close");
        const diagnostics = await provider.ephemeralResources.close(type, current.private, {
          connection,
          signal,
        });
        done(diagnostics);
        return answered(diagnostics, where, configured);
      }),
    );
    return [...this.problems, ...closed.flat()];
  }

  private schedule(entry: { current: OpenedEphemeral; timer?: Timer }): void {
    const { renewAt } = entry.current;
    if (!renewAt) return;
    const left = Math.max(0, renewAt.getTime() - world.clock.now().getTime());
    entry.timer = world.clock.after(left, () => void this.renew(entry)).letGo();
  }

  private async renew(entry: { current: OpenedEphemeral; timer?: Timer }): Promise<void> {
    const { provider, type, where, configured, connection, signal } = entry.current;
    const done = begin(entry.current, "renew");
    const renewed = await provider.ephemeralResources.renew(type, entry.current.private, {
      connection,
      signal,
    });
    done(renewed.diagnostics);
    this.problems.push(...answered(renewed.diagnostics, where, configured));
    if (!this.opened.has(entry)) return;
    entry.current = { ...entry.current, private: renewed.private, renewAt: renewed.renewAt };
    this.schedule(entry);
  }
}

/** Reports the start of a step. Returns a function that reports its end. */
export function begin(
  { report }: Pick<OpenedEphemeral, "report">,
  action: EphemeralStep["action"],
): (diagnostics: readonly Diagnostic[]) => void {
  const started = world.clock.steady();
  report({ type: "ephemeral_op_start", action });
  return (diagnostics) => {
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const elapsedMs = world.clock.steady() - started;
    report({ type: failed ? "ephemeral_op_errored" : "ephemeral_op_complete", action, elapsedMs });
  };
}
