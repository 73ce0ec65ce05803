import type { Diagnostic } from "../../core/diagnostics";
import type { PrivateState } from "../../core/private-state";
import type { Provider } from "../../core/provider";
import { locate, type Location } from "../config/located";
import type { EngineEvent } from "../../core/documents/events";

/** An open ephemeral resource. */
export interface OpenedEphemeral {
  readonly provider: Provider<unknown>;
  readonly type: string;
  readonly where: Location;
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
  private readonly opened = new Set<{ current: OpenedEphemeral; timer?: NodeJS.Timeout }>();
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
    for (const { timer } of entries) clearTimeout(timer);
    const closed = await Promise.all(
      entries.map(async ({ current }) => {
        const { provider, type, where, connection, signal } = current;
        const done = begin(current, "close");
        const diagnostics = await provider.ephemeralResources.close(type, current.private, {
          connection,
          signal,
        });
        done(diagnostics);
        return locate(diagnostics, where);
      }),
    );
    return [...this.problems, ...closed.flat()];
  }

  private schedule(entry: { current: OpenedEphemeral; timer?: NodeJS.Timeout }): void {
    const { renewAt } = entry.current;
    if (!renewAt) return;
    entry.timer = setTimeout(
      () => {
        void this.renew(entry);
      },
      Math.max(0, renewAt.getTime() - Date.now()),
    );
    entry.timer.unref();
  }

  private async renew(entry: { current: OpenedEphemeral; timer?: NodeJS.Timeout }): Promise<void> {
    const { provider, type, where, connection, signal } = entry.current;
    const done = begin(entry.current, "renew");
    const renewed = await provider.ephemeralResources.renew(type, entry.current.private, {
      connection,
      signal,
    });
    done(renewed.diagnostics);
    this.problems.push(...locate(renewed.diagnostics, where));
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
  const started = performance.now();
  report({ type: "ephemeral_op_start", action });
  return (diagnostics) => {
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const elapsedMs = performance.now() - started;
    report({ type: failed ? "ephemeral_op_errored" : "ephemeral_op_complete", action, elapsedMs });
  };
}
