import type { Diagnostic } from "../../provider/diagnostics";
import type { PrivateState } from "../../provider/private-state";
import type { Provider } from "../../provider/provider";
import { locate, type Location } from "../config/located";
import type { EngineEvent } from "../documents/events";

/** One ephemeral resource that is open. */
export interface OpenedEphemeral {
  readonly provider: Provider<unknown>;
  readonly type: string;
  readonly where: Location;
  readonly connection: unknown;
  readonly signal: AbortSignal;
  readonly private: PrivateState;
  readonly renewAt: Date | undefined;
  /** Tells observers of a step. */
  readonly tell: (step: EphemeralStep) => void;
}

export type EphemeralStep = Pick<Extract<EngineEvent, { type: "ephemeral_op_start" }>, "action"> &
  (
    | { readonly type: "ephemeral_op_start" }
    | {
        readonly type: "ephemeral_op_complete" | "ephemeral_op_errored";
        readonly elapsedMs: number;
      }
  );

/** What a run has opened: renewed in time, and closed in the end. */
export class OpenedEphemerals {
  private readonly opened = new Set<{ current: OpenedEphemeral; timer?: NodeJS.Timeout }>();
  private readonly deferred = new Set<string>();
  private readonly problems: Diagnostic[] = [];

  add(ephemeral: OpenedEphemeral): void {
    const entry = { current: ephemeral };
    this.opened.add(entry);
    this.schedule(entry);
  }

  /** Says that the block cannot be opened before the apply. */
  defer(address: string): void {
    this.deferred.add(address);
  }

  isDeferred(address: string): boolean {
    return this.deferred.has(address);
  }

  /** Tells what went wrong with renewing, too. */
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

/** Tells that a step begins, and gives what tells its end. */
export function begin(
  { tell }: Pick<OpenedEphemeral, "tell">,
  action: EphemeralStep["action"],
): (diagnostics: readonly Diagnostic[]) => void {
  const started = performance.now();
  tell({ type: "ephemeral_op_start", action });
  return (diagnostics) => {
    const failed = diagnostics.some(({ severity }) => severity === "error");
    const elapsedMs = performance.now() - started;
    tell({ type: failed ? "ephemeral_op_errored" : "ephemeral_op_complete", action, elapsedMs });
  };
}
